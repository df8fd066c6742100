import { type CheckedContent, createContentChecker } from "../../../form/check-content.ts";
import {
  type ElicitationAnswer,
  type ElicitationContent,
  type ElicitationOutcome,
  type FormElicitationRequest,
  outcomeOfAction,
} from "../../../protocol/contract.ts";
import { sleep } from "../shared/clock.ts";
import type { AnswerDigest } from "./answer-digest.ts";
import { type SealedStatement, seal } from "../shared/seal.ts";
import type { Clock, ElicitationRecord, ElicitationRecords } from "../ports.ts";
import type { RecordNotifier } from "./record-notifier.ts";
import type { RecordWriter } from "./record-writer.ts";
import { isEnded, outcomeOf } from "./record.ts";
import { type AnswerResult, resultOnEnded } from "./answer-result.ts";

/** How long a ticket of the chat is good for. */
const TICKET_MS = 60_000;

/** The requests of a runtime, for its routes, its hosted page and whatever else ends a request from outside. */
export interface ElicitationService {
  /** For server code that knows what it does: does not ask whose the request is. */
  get(elicitationId: string): Promise<ElicitationRecord | undefined>;
  /** The request when it is this person's. */
  find(elicitationId: string, userId: string): Promise<ElicitationRecord | undefined>;
  listOpen(conversationId: string, userId: string): Promise<readonly ElicitationRecord[]>;
  /**
   * Takes a person's answer. Of two that race, one wins. `acceptMeans: "consent"`: in the protocol of this answer, the
   * accept of a URL request says no more than that the person agreed to open the page.
   */
  answer(
    answer: ElicitationAnswer,
    userId: string,
    options?: { acceptMeans?: "consent" | undefined },
  ): Promise<AnswerResult>;
  /**
   * The flow outside has finished: that is an accept. `store` puts away what came out of it and runs only when this
   * call wins, before the agent goes on: a request that was withdrawn or has expired leaves nothing behind. When it
   * rejects, the request has failed, and so does this call.
   * `false`: it had already ended, and `store` did not run.
   */
  complete(elicitationId: string, store?: () => Promise<void>): Promise<boolean>;
  /** The flow outside did not work; the person may try again. `lastError` is shown to them. */
  fail(elicitationId: string, lastError: string): Promise<boolean>;
  /** The person tries again: what went wrong before is no longer shown. */
  retry(elicitationId: string): Promise<void>;
  /** The person said no on the hosted page. */
  decline(elicitationId: string): Promise<boolean>;
  /**
   * A ticket for the browser that holds `challenge` (43 characters): for a minute it tells the hosted page that this
   * person's chat session is in that browser (contract, section 6). Changes nothing. `undefined`: the request is
   * unknown, somebody else's, or has ended.
   */
  vouch(elicitationId: string, userId: string, challenge: string): Promise<string | undefined>;
  /** The same for a challenge that came through the chat's window. Neither ticket is of use as the other. */
  bind(elicitationId: string, userId: string, challenge: string): Promise<string | undefined>;
  /**
   * Calls `listener` once, when this process ends the request or learns that another one has. Returns a function that
   * cancels.
   */
  onEnd(record: ElicitationRecord, listener: () => void): () => void;
}

export function createElicitationService(options: {
  writer: RecordWriter;
  notifier: Pick<RecordNotifier, "announceProgress" | "settle" | "subscribe">;
  records: ElicitationRecords;
  clock: Clock;
  digest: AnswerDigest;
  /** Whether what a URL request is about is there by other means. */
  isCompleted: (record: ElicitationRecord) => boolean | Promise<boolean>;
  /** How often, and how far apart, an accept that means completion looks for it. */
  lookUps: { count: number; intervalMs: number };
}): ElicitationService {
  const { writer, notifier, records, clock, digest, lookUps } = options;
  const checkers = new WeakMap<FormElicitationRequest, (content?: unknown) => CheckedContent>();

  /** Reads the schema of a request once, however many answers it gets. */
  function check(request: FormElicitationRequest, content?: ElicitationContent): CheckedContent {
    const checker = checkers.get(request) ?? createContentChecker(request.requestedSchema);
    checkers.set(request, checker);
    return checker(content);
  }

  async function find(elicitationId: string, userId: string): Promise<ElicitationRecord | undefined> {
    const record = await records.get(elicitationId);
    return record?.user.id === userId ? await writer.current(elicitationId) : undefined;
  }

  const answer: ElicitationService["answer"] = async (given, userId, { acceptMeans } = {}) => {
    const { elicitationId, conversationId, content } = given;
    for (let lookUp = 1; ; lookUp += 1) {
      const record = await find(elicitationId, userId);
      if (record === undefined || record.conversationId !== conversationId) return { kind: "unknown" };
      const ended = outcomeOf(record);
      if (ended !== undefined) {
        const result = resultOnEnded(ended, given, await compare(record, given));
        if (result.kind === "settled") await settleAgain(record, ended, content);
        return result;
      }
      const result = await answerOpen(record, given, acceptMeans);
      // Somebody else ended it meanwhile: the record tells what that means for this answer.
      if (result === undefined) continue;
      if (result.kind !== "pending" || lookUp >= lookUps.count) return result;
      await sleep(clock, lookUps.intervalMs);
    }
  };

  /** Whether this is the content that the request was settled with. A request without a digest holds none. */
  async function compare({ request, answerDigest }: ElicitationRecord, given: ElicitationAnswer) {
    if (answerDigest === undefined || given.action !== "accept") return "same";
    return digest.compare(answerDigest, request.elicitationId, given.content);
  }

  /** Who has ended it may have failed, or died, before it reached who waits: the same answer brings that about. */
  async function settleAgain(
    { request, answerDigest }: ElicitationRecord,
    outcome: ElicitationOutcome,
    content: ElicitationContent = {},
  ): Promise<void> {
    if (outcome !== "accepted") return notifier.settle(request.elicitationId, { outcome });
    // What was done on a page counts when it is stored, which an answer does not know. Without a digest, nor does it
    // know whether it is the one that counted.
    if (request.mode === "url" || answerDigest === undefined) return;
    const checked = check(request, content);
    if (checked.ok) await notifier.settle(request.elicitationId, { outcome, content: checked.content });
  }

  async function ticket(userId: string, statement: SealedStatement): Promise<string | undefined> {
    const record = await find(statement.elicitationId, userId);
    if (record === undefined || isEnded(record)) return undefined;
    return seal(record.vouchKey, statement, clock.now() + TICKET_MS);
  }

  async function answerOpen(
    record: ElicitationRecord,
    { action, content }: ElicitationAnswer,
    acceptMeans: "consent" | undefined,
  ): Promise<AnswerResult | undefined> {
    const { request } = record;
    const outcome = outcomeOfAction[action];
    const settled: AnswerResult = { kind: "settled", outcome, alreadyProcessed: false };
    if (action !== "accept") return (await writer.end(record, { outcome })) ? settled : undefined;

    if (request.mode === "form") {
      const checked = check(request, content);
      if (!checked.ok) return { kind: "invalid", errors: checked.errors };
      const settlement = { outcome, content: checked.content };
      const answerDigest = await digest.of(request.elicitationId, content);
      return (await writer.end(record, settlement, { answerDigest })) ? settled : undefined;
    }
    const isThere = async () => options.isCompleted(record);
    if (request.acceptMeans === "consent" || (acceptMeans === "consent" && !(await isThere()))) {
      if (record.status === "consented") return { kind: "consented" };
      const consented = await writer.change(request.elicitationId, {
        status: "consented",
        lastError: undefined,
      });
      if (consented === undefined) return undefined;
      await notifier.announceProgress(consented);
      return { kind: "consented" };
    }
    if (!(await isThere())) return { kind: "pending", lastError: record.lastError };
    return (await writer.end(record, { outcome })) ? settled : undefined;
  }

  return {
    answer,
    find,
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
      return open.filter((record) => now < record.expiresAt);
    },
    async complete(elicitationId, store) {
      const record = await writer.current(elicitationId);
      return record !== undefined && (await writer.end(record, { outcome: "accepted" }, { store }));
    },
    async decline(elicitationId) {
      const record = await writer.current(elicitationId);
      return record !== undefined && (await writer.end(record, { outcome: "declined" }));
    },
    async fail(elicitationId, lastError) {
      const failed = await writer.change(elicitationId, { status: "pending", lastError });
      if (failed !== undefined) await notifier.announceProgress(failed);
      return failed !== undefined;
    },
    async retry(elicitationId) {
      if ((await records.get(elicitationId))?.lastError === undefined) return;
      // They are on the page again. The chat hears of it as progress: a request without any tells it nothing.
      const cleared = await writer.change(elicitationId, { status: "consented", lastError: undefined });
      if (cleared !== undefined) await notifier.announceProgress(cleared);
    },
    vouch: (elicitationId, userId, subject) => ticket(userId, { purpose: "vouch", elicitationId, subject }),
    bind: (elicitationId, userId, subject) => ticket(userId, { purpose: "bind", elicitationId, subject }),
  };
}
