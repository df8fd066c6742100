import { type CheckedContent, createContentChecker } from "../../form/check-content.ts";
import {
  type ElicitationAnswer,
  type ElicitationContent,
  type ElicitationOutcome,
  type FormElicitationRequest,
  outcomeOfAction,
} from "../../contract/contract.ts";
import { claimedNameOf } from "../../contract/claimed-name.ts";
import { sleep } from "../../base/deadlines.ts";
import type { AnswerDigest } from "../../base/answer-digest.ts";
import { type SealedStatement, seal } from "../../base/seal.ts";
import type { UserSeals } from "../../base/user-seal.ts";
import type { User } from "../../base/identity.ts";
import type { ElicitationRecord, ElicitationRecords } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { isUnderstood } from "./needs.ts";
import { SETTLING_MS } from "./expiry.ts";
import type { RecordNotifier } from "./record-notifier.ts";
import type { Remembering } from "./features/remembering.ts";
import type { Observer } from "./features/telemetry.ts";
import { asAssigned, assignedStatement } from "./assignment.ts";
import type { Assignments, HandOverParts } from "./features/who-decides.ts";
import { createExtend } from "./more-time.ts";
import { type AnswerResult, resultOnEnded } from "./answer-result.ts";
import type { EndOptions, RecordWriter } from "./record-writer.ts";
import type { ElicitationService } from "./elicitations.ts";
import { isEnded, lastFailure, outcomeOf } from "./record.ts";

/** How long a ticket from the chat is valid. */
export const TICKET_MS = 60_000;
/** How often, and at which interval, to check for completion before an answer that claims it gets a 202 (contract). */
const LOOK_UPS = 3;
const LOOK_UP_MS = 500;

export function createElicitationService(options: {
  writer: RecordWriter;
  notifier: Pick<RecordNotifier, "settle" | "subscribe">;
  records: ElicitationRecords;
  clock: Clock;
  digest: AnswerDigest;
  users: UserSeals;
  remembering: Remembering | undefined;
  onError: (error: unknown) => void;
  assignments: Assignments;
  absence: HandOverParts["absence"];
  /**
   * Whether the goal of a URL request was reached without `complete()`, for example because a credential was stored by
   * other code.
   */
  isCompleted: (record: ElicitationRecord) => boolean | Promise<boolean>;
  hostedPageOrigin: string | undefined;
  chatOrigins: readonly string[];
  observer: Pick<Observer, "refused"> | undefined;
}): ElicitationService {
  const { writer, notifier, records, clock, digest, observer } = options;
  const { remembering, assignments } = options;
  const checkers = new WeakMap<FormElicitationRequest, (content?: unknown) => CheckedContent>();

  /** Compiles the schema of a request once, for all its answers. */
  function check(request: FormElicitationRequest, content?: ElicitationContent): CheckedContent {
    const checker = checkers.get(request) ?? createContentChecker(request.requestedSchema);
    checkers.set(request, checker);
    return checker(content);
  }

  async function find(elicitationId: string, userId: string): Promise<ElicitationRecord | undefined> {
    return writer.current(elicitationId, userId);
  }

  const answer: ElicitationService["answer"] = async (
    given,
    userId,
    { acceptMeans, through = "chat", answerId } = {},
  ) => {
    const { elicitationId, conversationId } = given;
    for (let lookUp = 1; ; lookUp += 1) {
      const record = await writer.current(elicitationId);
      if (record === undefined) return { kind: "unknown" };
      const isAsker = record.user.id === userId;
      const isFor = await assignments.isFor(record, userId);
      // A user who decides for another one must not see that user's conversation.
      const known = isAsker ? record.conversationId : isFor ? elicitationId : undefined;
      if (conversationId !== known) return { kind: "unknown" };
      const ended = outcomeOf(record);
      if (ended !== undefined) {
        const endedBy = record.changedBy?.userId ?? userId;
        if (record.assigned !== undefined && endedBy !== userId) {
          return { kind: "ended", outcome: ended, by: record.endedBy };
        }
        const result = resultOnEnded(ended, given, await compare(record, given));
        if (result.kind === "settled") await settleAgain(record, ended, given);
        return result;
      }
      if (!isFor) return { kind: "assigned", name: record.assigned?.name ?? "" };
      const by = isAsker ? undefined : { id: userId, name: await assignments.nameOf({ user: userId }) };
      const result = await answerOpen(record, given, { acceptMeans, through, by, answerId });
      // Another call ended the request in the meantime: read the record again to find the result of this answer.
      if (result === undefined) continue;
      if (result.kind !== "pending" || lookUp >= LOOK_UPS) return result;
      await sleep(clock, LOOK_UP_MS);
    }
  };

  /** Whether the answer has the content that settled the request. A record without a digest has no content. */
  async function compare({ request, answerDigest, delegated }: ElicitationRecord, given: ElicitationAnswer) {
    if (given.action === "accept" && given.delegated !== delegated) return "different";
    if (answerDigest === undefined || given.action !== "accept") return "same";
    return digest.compare(answerDigest, request.elicitationId, given.content);
  }

  /** Settles the wait again: the process that ended the request may have crashed before it reached the waiting turn. */
  async function settleAgain(
    record: ElicitationRecord,
    outcome: ElicitationOutcome,
    { content = {}, note }: ElicitationAnswer,
  ): Promise<void> {
    const { request, answerDigest, delegated, endedAt = 0 } = record;
    const byOf = record.assigned && { by: record.changedBy?.userId };
    if (delegated === true) return notifier.settle(record, { outcome, delegated });
    if (outcome !== "accepted") return notifier.settle(record, { outcome, note: noteOf(note), ...byOf });
    if (request.mode === "url") {
      // The page that ended it may still be storing the result.
      if (clock.now() >= endedAt + SETTLING_MS) await notifier.settle(record, { outcome });
      return;
    }
    // Without a digest, this answer may differ from the one that settled the request.
    if (answerDigest === undefined) return;
    const checked = check(request, content);
    if (checked.ok) await notifier.settle(record, { outcome, content: checked.content, ...byOf });
  }

  async function ticket(user: User, statement: SealedStatement): Promise<string | undefined> {
    const record = await writer.current(statement.elicitationId);
    if (record === undefined) return undefined;
    // The chat's own window is for open requests: the chat itself shows how a request has ended.
    if (statement.purpose === "bind" && isEnded(record)) return undefined;
    // The user whose turn asks sees for whom the request waits.
    if (record.user.id !== user.id && !(await assignments.isFor(record, user.id))) return undefined;
    const expiresAt = clock.now() + TICKET_MS;
    return record.assigned === undefined
      ? seal(record.vouchKey, statement, expiresAt)
      : options.users.seal(user, assignedStatement(statement), expiresAt);
  }

  async function answerOpen(
    record: ElicitationRecord,
    { action, content, note, remember: wantsRemembered, delegated }: ElicitationAnswer,
    { acceptMeans, ...made }: EndOptions & { acceptMeans: "consent" | undefined },
  ): Promise<AnswerResult | undefined> {
    const { request } = record;
    const { by } = made;
    const outcome = outcomeOfAction[action];
    const byOf = by && { by: by.id };
    const settled: AnswerResult = { kind: "settled", outcome, alreadyProcessed: false };
    if (action !== "accept") {
      const refusal = { outcome, note: noteOf(note), ...byOf };
      return (await writer.end(record, refusal, made)) ? settled : undefined;
    }
    if (delegated === true) {
      if (request.delegate === undefined || by !== undefined) return { kind: "not-delegable" };
      const left = { outcome, delegated };
      return (await writer.end(record, left, { delegated, ...made })) ? settled : undefined;
    }

    if (request.mode === "form") {
      const checked = check(request, content);
      if (!checked.ok) return { kind: "invalid", errors: checked.errors };
      const settlement = { outcome, content: checked.content, ...byOf };
      const answerDigest = await digest.of(request.elicitationId, content);
      // A client cannot set this if it was not offered, and an answer is never remembered for another user.
      const isOffered = request.remember !== undefined && by === undefined;
      const isKept = wantsRemembered === true && isOffered && remembering !== undefined;
      const kept = isKept && { remembered: "kept" as const, compareAndSet: remembering.end };
      return (await writer.end(record, settlement, { answerDigest, ...made, ...kept })) ? settled : undefined;
    }
    const isCompleted = async () => options.isCompleted(record);
    if (request.acceptMeans === "consent" || (acceptMeans === "consent" && !(await isCompleted()))) {
      // Written again for a user who has already agreed and says that they have finished, so that listeners are notified.
      const agreed = { status: "consented", lastError: undefined } as const;
      return (await writer.progress(request.elicitationId, agreed, made.through)) && { kind: "consented" };
    }
    if (!(await isCompleted())) return { kind: "pending", ...lastFailure(record) };
    return (await writer.end(record, { outcome }, made)) ? settled : undefined;
  }

  async function findToShow(elicitationId: string, userId: string): Promise<ElicitationRecord | undefined> {
    const record = await writer.current(elicitationId);
    if (record === undefined || record.user.id === userId) return record;
    return (await assignments.isFor(record, userId)) ? asAssigned(record, userId) : undefined;
  }

  return {
    ...assignments.handOver(options),
    extend: createExtend(options),
    findToShow,
    async findToAnswer(elicitationId, userId) {
      const record = await findToShow(elicitationId, userId);
      return record?.assigned === undefined ? record : undefined;
    },
    async answer(...given) {
      const result = await answer(...given);
      const { kind } = result;
      // These answers count, or come too early.
      if (kind !== "settled" && kind !== "consented" && kind !== "pending") observer?.refused(kind);
      return result;
    },
    find,
    chatOrigins: options.chatOrigins,
    users: options.users,
    remembered: remembering,
    linkFor(elicitationId) {
      if (options.hostedPageOrigin === undefined) return undefined;
      return `${options.hostedPageOrigin}/auth/answer?${new URLSearchParams({ elicitationId })}`;
    },
    onEnd({ turnId, request: { elicitationId } }, listener) {
      const stop = notifier.subscribe(turnId, ({ type, request }) => {
        if (type !== "elicitation-resolved" || request.elicitationId !== elicitationId) return;
        stop();
        listener();
      });
      return stop;
    },
    get: (elicitationId) => writer.current(elicitationId),
    async listOpen(conversationId, userId) {
      const open = await records.listOpen(conversationId, userId);
      const now = clock.now();
      return open.filter((record) => now < record.expiresAt && isUnderstood(record));
    },
    async complete(elicitationId, store, { account: name, through } = {}) {
      const record = await writer.current(elicitationId);
      if (record === undefined) return false;
      const account = claimedNameOf(name);
      return writer.end(record, { outcome: "accepted" }, { store, account, through });
    },
    async decline(elicitationId, { through } = {}) {
      const record = await writer.current(elicitationId);
      return record !== undefined && writer.end(record, { outcome: "declined" }, { through });
    },
    async withdraw(elicitationId, { reason, by, through }) {
      const record = await writer.current(elicitationId);
      return (
        record !== undefined &&
        writer.end(record, { outcome: "withdrawn", reason }, { by: { id: by }, through })
      );
    },
    async fail(elicitationId, lastError, { through, cause } = {}) {
      const failed = { status: "pending", lastError, lastErrorCause: cause } as const;
      return (await writer.progress(elicitationId, failed, through)) !== undefined;
    },
    async retry(elicitationId, { through } = {}) {
      if ((await records.get(elicitationId))?.lastError === undefined) return;
      // The user is on the page again. The chat gets this as `consented` progress.
      await writer.progress(elicitationId, { status: "consented", lastError: undefined }, through);
    },
    vouch: (elicitationId, user, subject) => ticket(user, { purpose: "vouch", elicitationId, subject }),
    bind: (elicitationId, user, subject) => ticket(user, { purpose: "bind", elicitationId, subject }),
  };
}

/** An empty note is ignored. */
function noteOf(note: string | undefined): string | undefined {
  return note?.trim() || undefined;
}
