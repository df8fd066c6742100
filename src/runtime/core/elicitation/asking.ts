import type { ElicitationRequest } from "../../../protocol/contract.ts";
import type {
  Clock,
  ElicitationRecord,
  ElicitationRecords,
  Settlement,
  TurnRunner,
  User,
  Waiter,
} from "../ports/index.ts";
import { newId, newSecret } from "../shared/ids.ts";
import { isTakenOver, never } from "../shared/turn-takeover.ts";
import type { WatchExpiry } from "./expiry.ts";
import { requestOf } from "./new-request.ts";
import type { OpenLimit } from "./open-limit.ts";
import type { ElicitationResult, Question } from "./question.ts";
import { isEnded, outcomeOf } from "./record.ts";
import type { RecordNotifier } from "./record-notifier.ts";
import type { RecordWriter } from "./record-writer.ts";
import type { Observer } from "./telemetry.ts";
import { KitError } from "../../../protocol/kit-error.ts";

/** What a request inherits from its turn. */
export interface TurnScope {
  readonly turnId: string;
  /** Kind of the surface that shows the request. @default "chat" */
  readonly surface?: string | undefined;
  readonly conversationId: string;
  readonly user: User;
  readonly chatOrigin?: string | undefined;
  readonly returnUrl?: string | undefined;
  /** Withdraws the request when it aborts. */
  readonly signal: AbortSignal;
}

/** Asks the user a question and waits for the result. */
export type Ask = (scope: TurnScope, question: Question) => Promise<ElicitationResult>;

export interface Asking {
  /**
   * Rejects if the request cannot be created. `hold` keeps the turn here until the request can be shown. Needed in a turn that
   * may be parked.
   */
  ask(scope: TurnScope, question: Question, hold?: TurnRunner["hold"]): Promise<ElicitationResult>;
  /** Asks several questions as one round, if more than one gets a card. Returns a promise for each. */
  askRound(
    scope: TurnScope,
    questions: readonly Question[],
    roundId: string,
    hold: TurnRunner["hold"],
  ): readonly Promise<ElicitationResult>[];
}

const WITHDRAWN: ElicitationResult = { outcome: "withdrawn" };

const NOT_NEEDED: Settlement = { outcome: "withdrawn", reason: "The agent no longer needs the answer." };
const WAIT_FAILED: Settlement = { outcome: "failed", reason: "the server could not wait for the answer" };

/** Implements asking as section 5 of the contract defines it. */
export function createAsking(options: {
  writer: Pick<RecordWriter, "change" | "end">;
  notifier: Pick<RecordNotifier, "announce" | "follow">;
  records: Pick<ElicitationRecords, "create">;
  waiter: Pick<Waiter, "wait">;
  watchExpiry: WatchExpiry;
  clock: Clock;
  expiresInMs: number;
  openLimit: OpenLimit;
  observer: Pick<Observer, "waiting">;
  /** Origin of the pages that a plain link can open. */
  hostedPageOrigin: string | undefined;
  onError: (error: unknown) => void;
}): Asking {
  const { writer, notifier, records, waiter, clock, observer, onError } = options;

  /** Creates the record. When a turn runs again, returns the record that its first run created. */
  async function create(scope: TurnScope, question: Question): Promise<ElicitationRecord> {
    const { signal: _, surface = "chat", ...owner } = scope;
    const createdAt = clock.now();
    const expiresAt = createdAt + (question.expiresInMs ?? options.expiresInMs);
    const record = await records.create({
      ...owner,
      surface,
      revision: 0,
      request: requestOf(question, question.elicitationId ?? newId(), {
        expiresAt,
        hostedPageOrigin: options.hostedPageOrigin,
      }),
      tool: question.tool,
      ...(question.mode === "url" && question.signIn !== undefined && { signIn: question.signIn }),
      createdAt,
      expiresAt,
      status: "pending",
      vouchKey: newSecret(),
    });
    if (record.turnId === owner.turnId && record.user.id === owner.user.id) return record;
    throw new KitError(
      "elicit-kit: another turn already uses this elicitationId. Derive ids from the turn's own id.",
    );
  }

  /** Creates the record of a question, unless too many requests already wait for this user. */
  async function begin(scope: TurnScope, question: Question): Promise<Begun | ElicitationResult> {
    const release = await options.openLimit(scope.conversationId, scope.user.id, question.elicitationId);
    if (release === undefined) {
      const reason = "too many requests wait for the user already; they have to answer some of them first";
      return { outcome: "failed", reason };
    }
    try {
      return { record: await create(scope, question), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async function finish(
    scope: TurnScope,
    question: Question,
    { record, release }: Begun,
  ): Promise<ElicitationResult> {
    try {
      return await wait(scope, question, record);
    } catch (error) {
      if (!isTakenOver(scope.signal)) throw error;
    } finally {
      release();
    }
    // Another process has taken over the turn and gets the answer.
    return never();
  }

  async function wait(
    { signal: turnSignal }: TurnScope,
    question: Question,
    record: ElicitationRecord,
  ): Promise<ElicitationResult> {
    const ended = outcomeOf(record);
    if (ended !== undefined && ended !== "accepted") {
      await showEnd(record);
      return resultOf({ ...record, outcome: ended }, record);
    }

    const signal =
      question.signal === undefined ? turnSignal : AbortSignal.any([turnSignal, question.signal]);
    const following = notifier.follow(record, whenConsented(question));
    const waiting = waiter.wait(record.request.elicitationId, { signal });
    const stopWatching = options.watchExpiry(record);
    if (!signal.aborted && ended === undefined) notifier.announce(record);
    if (question.completed !== undefined) void endWith(question.completed, record, signal);
    const report = observer.waiting(record);
    try {
      const settlement = await waiting;
      // This only updates the display. If it fails, the answer must still reach the agent.
      await following.catchUp().catch(onError);
      report(settlement.outcome);
      return resultOf(settlement, record);
    } catch (error) {
      if (isTakenOver(turnSignal)) throw error;
      const isWithdrawn = signal.aborted;
      if (!isWithdrawn) onError(error);
      // Nothing waits any more. An answer to a request that stayed open would be lost.
      const settlement = isWithdrawn ? withdrawnBy(turnSignal) : WAIT_FAILED;
      const isFirst = await writer.end(record, settlement);
      // Another process ended the request but could not write to this process's stream.
      if (!isFirst) await following.catchUp().catch(onError);
      report(settlement.outcome);
      return resultOf(settlement, record);
    } finally {
      stopWatching();
      following.stop();
    }
  }

  /** For a request that has ended while no process ran its turn: its stream may not say so. */
  async function showEnd(record: ElicitationRecord): Promise<void> {
    const following = notifier.follow(record);
    await following.catchUp().catch(onError);
    following.stop();
  }

  /** Ends the request when `completed` settles. */
  async function endWith(
    completed: Promise<void>,
    record: ElicitationRecord,
    signal: AbortSignal,
  ): Promise<void> {
    const settlement = await completed.then(
      (): Settlement => ({ outcome: "accepted" }),
      () => NOT_NEEDED,
    );
    if (!signal.aborted) await writer.end(record, settlement).catch(onError);
  }

  /** Adds the round to the request. A request that its turn asks again already has it. */
  async function stamp(begun: Begun, round: ElicitationRequest["round"]): Promise<Begun> {
    const { request } = begun.record;
    if (request.round !== undefined || isEnded(begun.record)) return begun;
    try {
      const record = await writer.change(request.elicitationId, { request: { ...request, round } });
      return record === undefined ? begun : { ...begun, record };
    } catch (error) {
      begun.release();
      throw error;
    }
  }

  return {
    async ask(scope, question, hold = (run) => run()) {
      const begun = await hold(() => begin(scope, question));
      return "record" in begun ? finish(scope, question, begun) : begun;
    },
    askRound(scope, questions, roundId, hold) {
      const all = questions.map((question) => hold(() => begin(scope, question)));
      // `size` counts only the requests that get a card: a client waits for that many answers.
      const size = Promise.allSettled(all).then(
        (each) => each.filter((one) => one.status === "fulfilled" && "record" in one.value).length,
      );
      return questions.map(async (question, index) => {
        const begun = await hold(async () => {
          const one = await all[index];
          if (one === undefined || !("record" in one)) return one ?? WITHDRAWN;
          const round = { id: roundId, size: await size };
          return round.size > 1 ? stamp(one, round) : one;
        });
        return "record" in begun ? finish(scope, question, begun) : begun;
      });
    },
  };
}

/** A question whose record has been created. */
interface Begun {
  readonly record: ElicitationRecord;
  /** Frees the place that the request takes in the limit of open requests. */
  readonly release: () => void;
}

/** Returns a listener that calls `onConsent` whenever the record is written as `consented`. */
function whenConsented({ onConsent }: Question): ((record: ElicitationRecord) => void) | undefined {
  return onConsent && (({ status }) => (status === "consented" ? onConsent() : undefined));
}

/** In the words with which the turn was stopped. Those of a tool or a server that gave up may hold anything. */
function withdrawnBy({ aborted, reason }: AbortSignal): Settlement {
  return aborted && reason instanceof Error ? { outcome: "withdrawn", reason: reason.message } : NOT_NEEDED;
}

function resultOf(settlement: Settlement, record: ElicitationRecord): ElicitationResult {
  const { outcome, content = {}, reason = "no reason was given" } = settlement;
  if (outcome === "accepted") return { outcome, content };
  if (outcome === "expired") return { outcome, afterMs: record.expiresAt - record.createdAt };
  if (outcome === "failed") return { outcome, reason };
  return { outcome };
}
