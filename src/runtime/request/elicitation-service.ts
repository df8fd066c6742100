import { type CheckedContent, createContentChecker } from "../../form/check-content.ts";
import {
  type ContentError,
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
import type { ElicitationRecord, ElicitationRecords } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { SETTLING_MS } from "./expiry.ts";
import type { RecordNotifier } from "./record-notifier.ts";
import type { Remembering } from "./remembering.ts";
import type { Observer } from "./telemetry.ts";
import type { RecordWriter } from "./record-writer.ts";
import { isEnded, outcomeOf } from "./record.ts";

/** How long a ticket from the chat is valid. */
export const TICKET_MS = 60_000;

/** The requests of a runtime, for its routes, its hosted page and other server code that ends requests. */
export interface ElicitationService {
  /** For trusted server code: does not check whose request it is. */
  get(elicitationId: string): Promise<ElicitationRecord | undefined>;
  /** Returns the request only if it belongs to this user. */
  find(elicitationId: string, userId: string): Promise<ElicitationRecord | undefined>;
  listOpen(conversationId: string, userId: string): Promise<readonly ElicitationRecord[]>;
  /**
   * The origins of chats, if `allowedOrigins` of `createRuntime` lists them. The hosted page asks the window that opened it
   * who the user is, if a chat of one of these has opened it.
   */
  readonly chatOrigins: readonly string[];
  /**
   * The link to the hosted page of a request, for clients that cannot show it, such as a mail or a terminal. It holds only the
   * id, works only for the user of the request (contract, section 6), and no longer than the request is open. The page
   * shows forms, connects accounts, and leads to the pages of others after the user has agreed. `undefined` without
   * `hostedPage` of `createRuntime`.
   */
  linkFor(elicitationId: string): string | undefined;
  /**
   * Takes a user's answer. When two answers race, the first to be stored wins. `acceptMeans: "consent"`: in the protocol
   * that carried this answer, accepting a URL request only means that the user agreed to open the page. `through`: the
   * surface that it came from, for the record. @default "chat"
   */
  answer(
    answer: ElicitationAnswer,
    userId: string,
    options?: { acceptMeans?: "consent" | undefined; through?: string | undefined },
  ): Promise<AnswerResult>;
  /**
   * Ends the request as accepted because the external flow has finished. `store` saves the result of that flow, such as
   * a credential. It runs before the agent continues, and only if this call ends the request, so a withdrawn or expired
   * request stores nothing. If `store` rejects, the request ends as failed and this call rejects.
   * `account` is what the provider calls the account that was connected; the user reads it in the receipt.
   * Returns `false` if the request had already ended; `store` did not run.
   */
  complete(
    elicitationId: string,
    store?: () => Promise<void>,
    options?: { account?: string | undefined; through?: string | undefined },
  ): Promise<boolean>;
  /**
   * Reports that the external flow failed. The user sees `lastError` and may try again. `through`, also of the others: where
   * the user did it, such as `page`, for the record; absent if server code reports what it heard elsewhere.
   */
  fail(elicitationId: string, lastError: string, by?: { through?: string | undefined }): Promise<boolean>;
  /** The user tries again: clears `lastError`. */
  retry(elicitationId: string, by?: { through?: string | undefined }): Promise<void>;
  /** The user declined on the page. */
  decline(elicitationId: string, by?: { through?: string | undefined }): Promise<boolean>;
  /**
   * Ends the request as withdrawn, because an operator wants it. The turn continues, as if it had withdrawn the question itself.
   * `by` and `through` are for the decision log. Returns `false` if the request had already ended, or is unknown.
   */
  withdraw(
    elicitationId: string,
    how: { readonly reason: string; readonly by: string; readonly through: string },
  ): Promise<boolean>;
  /**
   * Returns a ticket for the browser that holds `challenge` (43 characters). For one minute, the ticket proves to the
   * hosted page that this user's chat session is in that browser (contract, section 6). Changes nothing. Returns
   * `undefined` if the request is unknown, belongs to another user, or has ended.
   */
  vouch(elicitationId: string, userId: string, challenge: string): Promise<string | undefined>;
  /** Like `vouch`, for a challenge that came through the chat's window. The two tickets are not interchangeable. */
  bind(elicitationId: string, userId: string, challenge: string): Promise<string | undefined>;
  /**
   * Seals who is signed in to the chat, for pages of the hosted page that are about a user and no request. Processes that
   * share such pages have the same `answerKey`.
   */
  readonly users: UserSeals;
  /** The answers that users let their tools use again. `undefined`: this runtime remembers none. */
  readonly remembered: Remembering | undefined;
  /**
   * Calls `listener` once, when this process ends the request or learns that another process has. Returns a function
   * that removes the listener.
   */
  onEnd(record: ElicitationRecord, listener: () => void): () => void;
}

export function createElicitationService(options: {
  writer: RecordWriter;
  notifier: Pick<RecordNotifier, "settle" | "subscribe">;
  records: ElicitationRecords;
  clock: Clock;
  digest: AnswerDigest;
  users: UserSeals;
  remembering: Remembering | undefined;
  onError: (error: unknown) => void;
  /** Whether the goal of a URL request was reached without `complete()`, such as a credential stored elsewhere. */
  isCompleted: (record: ElicitationRecord) => boolean | Promise<boolean>;
  /** How often, and at which interval, to check for completion when an accept claims it. */
  lookUps: { count: number; intervalMs: number };
  hostedPageOrigin: string | undefined;
  chatOrigins: readonly string[];
  observer: Pick<Observer, "refused">;
}): ElicitationService {
  const { writer, notifier, records, clock, digest, lookUps, observer, remembering, onError } = options;
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
    { acceptMeans, through = "chat" } = {},
  ) => {
    const { elicitationId, conversationId } = given;
    for (let lookUp = 1; ; lookUp += 1) {
      const record = await find(elicitationId, userId);
      if (record === undefined || record.conversationId !== conversationId) return { kind: "unknown" };
      const ended = outcomeOf(record);
      if (ended !== undefined) {
        const result = resultOnEnded(ended, given, await compare(record, given));
        if (result.kind === "settled") await settleAgain(record, ended, given);
        return result;
      }
      const result = await answerOpen(record, given, { acceptMeans, through });
      // Another call ended the request meanwhile: read the record again to find the result of this answer.
      if (result === undefined) continue;
      if (result.kind !== "pending" || lookUp >= lookUps.count) return result;
      await sleep(clock, lookUps.intervalMs);
    }
  };

  /** Whether the answer has the content that settled the request. A record without a digest has no content. */
  async function compare({ request, answerDigest }: ElicitationRecord, given: ElicitationAnswer) {
    if (answerDigest === undefined || given.action !== "accept") return "same";
    return digest.compare(answerDigest, request.elicitationId, given.content);
  }

  /** Settles the wait again: the process that ended the request may have crashed before it reached the waiting turn. */
  async function settleAgain(
    record: ElicitationRecord,
    outcome: ElicitationOutcome,
    { content = {}, note }: ElicitationAnswer,
  ): Promise<void> {
    const { request, answerDigest, endedAt = 0 } = record;
    if (outcome !== "accepted") return notifier.settle(record, { outcome, note: noteOf(note) });
    if (request.mode === "url") {
      // Its page may be storing the result just now.
      if (clock.now() >= endedAt + SETTLING_MS) await notifier.settle(record, { outcome });
      return;
    }
    // Without a digest, this answer may differ from the one that settled the request.
    if (answerDigest === undefined) return;
    const checked = check(request, content);
    if (checked.ok) await notifier.settle(record, { outcome, content: checked.content });
  }

  async function ticket(userId: string, statement: SealedStatement): Promise<string | undefined> {
    const record = await find(statement.elicitationId, userId);
    if (record === undefined || isEnded(record)) return undefined;
    return seal(record.vouchKey, statement, clock.now() + TICKET_MS);
  }

  async function answerOpen(
    record: ElicitationRecord,
    { action, content, note, remember: wantsRemembered }: ElicitationAnswer,
    { acceptMeans, through }: { acceptMeans: "consent" | undefined; through: string },
  ): Promise<AnswerResult | undefined> {
    const { request } = record;
    const outcome = outcomeOfAction[action];
    const settled: AnswerResult = { kind: "settled", outcome, alreadyProcessed: false };
    if (action !== "accept") {
      return (await writer.end(record, { outcome, note: noteOf(note) }, { through })) ? settled : undefined;
    }

    if (request.mode === "form") {
      const checked = check(request, content);
      if (!checked.ok) return { kind: "invalid", errors: checked.errors };
      const settlement = { outcome, content: checked.content };
      const answerDigest = await digest.of(request.elicitationId, content);
      // A client that was not offered it cannot ask for it.
      const isKept = wantsRemembered === true && request.remember !== undefined && remembering !== undefined;
      const kept = isKept && {
        remembered: "kept" as const,
        // The answer counts also if it cannot be remembered.
        remember: () => remembering.keep(record, checked.content).catch(onError),
      };
      return (await writer.end(record, settlement, { answerDigest, through, ...kept })) ? settled : undefined;
    }
    const isCompleted = async () => options.isCompleted(record);
    if (request.acceptMeans === "consent" || (acceptMeans === "consent" && !(await isCompleted()))) {
      // Written again for a user who has already agreed and says that they have finished: those who wait learn of it.
      const agreed = { status: "consented", lastError: undefined } as const;
      return (await writer.progress(request.elicitationId, agreed, through)) && { kind: "consented" };
    }
    if (!(await isCompleted())) return { kind: "pending", lastError: record.lastError };
    return (await writer.end(record, { outcome }, { through })) ? settled : undefined;
  }

  return {
    async answer(...given) {
      const result = await answer(...given);
      if (!COUNTS.has(result.kind)) observer.refused(result.kind);
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
      return open.filter((record) => now < record.expiresAt);
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
      return record !== undefined && writer.end(record, { outcome: "withdrawn", reason }, { by, through });
    },
    async fail(elicitationId, lastError, { through } = {}) {
      return (await writer.progress(elicitationId, { status: "pending", lastError }, through)) !== undefined;
    },
    async retry(elicitationId, { through } = {}) {
      if ((await records.get(elicitationId))?.lastError === undefined) return;
      // The user is on the page again. The chat learns it from the `consented` progress.
      await writer.progress(elicitationId, { status: "consented", lastError: undefined }, through);
    },
    vouch: (elicitationId, userId, subject) => ticket(userId, { purpose: "vouch", elicitationId, subject }),
    bind: (elicitationId, userId, subject) => ticket(userId, { purpose: "bind", elicitationId, subject }),
  };
}

/** Results of answers that are as they should be. A `pending` one is too early. */
const COUNTS: ReadonlySet<AnswerResult["kind"]> = new Set(["settled", "consented", "pending"]);

/** An empty note is ignored. */
function noteOf(note: string | undefined): string | undefined {
  return note?.trim() || undefined;
}

/** The result of one answer. When answers race, exactly one is `settled` with `alreadyProcessed: false`. */
export type AnswerResult =
  | { kind: "settled"; outcome: ElicitationOutcome; alreadyProcessed: boolean }
  | { kind: "consented" }
  /** The accept claims completion, but the server has not seen it yet. */
  | { kind: "pending"; lastError?: string | undefined }
  | { kind: "invalid"; errors: readonly ContentError[] }
  /** The request had already ended with another outcome. */
  | { kind: "ended"; outcome: ElicitationOutcome }
  | { kind: "content-differs" }
  | { kind: "expired" }
  /** The request does not exist, or belongs to another user or conversation. The caller is not told which. */
  | { kind: "unknown" };

/**
 * The result of an answer to a request that has ended: a repeat of the answer that settled it, too late, or a different
 * answer. `content` says whether it equals the content that settled the request. With `unknown`, the result only names
 * the outcome.
 */
function resultOnEnded(
  outcome: ElicitationOutcome,
  answer: ElicitationAnswer,
  content: "same" | "different" | "unknown",
): AnswerResult {
  if (outcomeOfAction[answer.action] !== outcome) {
    return outcome === "expired" ? { kind: "expired" } : { kind: "ended", outcome };
  }
  if (content === "unknown") return { kind: "ended", outcome };
  return content === "different"
    ? { kind: "content-differs" }
    : { kind: "settled", outcome, alreadyProcessed: true };
}
