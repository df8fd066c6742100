import type { ElicitationOutcome } from "../../contract/contract.ts";
import type { ElicitationRecord, Settlement, Waiter } from "../ports/index.ts";
import { isTakenOver } from "../ports/turn-runner.ts";
import type { WatchExpiry } from "../request/expiry.ts";
import { type ElicitationResult, type Question, type TurnScope, fallbackOf } from "./question.ts";
import { outcomeOf } from "../request/record.ts";
import type { RecordNotifier } from "../request/record-notifier.ts";
import type { RecordWriter } from "../request/record-writer.ts";
import type { Observer } from "../request/features/telemetry.ts";

export interface ResultWaitOptions {
  writer: Pick<RecordWriter, "end">;
  notifier: Pick<RecordNotifier, "announce" | "show" | "follow">;
  waiter: Pick<Waiter, "wait">;
  watchExpiry: WatchExpiry;
  observer: Pick<Observer, "waiting"> | undefined;
  onError: (error: unknown) => void;
}

const NOT_NEEDED: Settlement = { outcome: "withdrawn", reason: "The agent no longer needs the answer." };
const WAIT_FAILED: Settlement = { outcome: "failed", reason: "the server could not wait for the answer" };

/** Shows a request, before anything is awaited, and waits for its result. Rejects if another process has the turn. */
export async function waitForResult(
  options: ResultWaitOptions,
  scope: TurnScope,
  question: Question,
  { record, isNew }: { readonly record: ElicitationRecord; readonly isNew: boolean },
): Promise<ElicitationResult> {
  const { writer, notifier, waiter, observer, onError } = options;
  const ended = outcomeOf(record);
  if (ended !== undefined && ended !== "accepted") {
    await showEnd(options, record);
    return resultOf({ ...record, outcome: ended }, record, question);
  }

  const { signal: turnSignal } = scope;
  const signal = signalOf(scope, question);
  const following = notifier.follow(record, whenConsented(question));
  const waiting = waiter.wait(record.request.elicitationId, { signal });
  const stopWatching = options.watchExpiry(record);
  if (!signal.aborted && ended === undefined) notifier[isNew ? "announce" : "show"](record);
  if (question.completed !== undefined) void endWith(options, question.completed, record, signal);
  const report = observer?.waiting(record);
  let outcome: ElicitationOutcome | undefined;
  try {
    const settlement = await waiting;
    // This only updates the display. If it fails, the answer must still reach the agent.
    await following.catchUp().catch(onError);
    ({ outcome } = settlement);
    return resultOf(settlement, following.latest(), question);
  } catch (error) {
    if (isTakenOver(turnSignal)) {
      following.leave().catch(onError);
      throw error;
    }
    const isWithdrawn = signal.aborted;
    if (!isWithdrawn) onError(error);
    // No code waits any more, so an answer to an open request would be lost.
    const settlement = isWithdrawn ? withdrawnBy(turnSignal) : WAIT_FAILED;
    const isFirst = await writer.end(record, settlement);
    // Another process ended the request but could not write to this process's stream.
    if (!isFirst) await following.catchUp().catch(onError);
    ({ outcome } = settlement);
    return resultOf(settlement, record, question);
  } finally {
    // This also applies if the outcome could not be stored.
    report?.(outcome);
    stopWatching();
    following.stop();
  }
}

/** For a request that has ended while no process ran its turn: its stream may lack the outcome. */
async function showEnd(
  { notifier, onError }: Pick<ResultWaitOptions, "notifier" | "onError">,
  record: ElicitationRecord,
): Promise<void> {
  const following = notifier.follow(record);
  await following.catchUp().catch(onError);
  following.stop();
}

/** Ends the request when `completed` settles. */
async function endWith(
  { writer, onError }: Pick<ResultWaitOptions, "writer" | "onError">,
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

/** Aborts when the answer is no longer needed. */
export function signalOf({ signal }: TurnScope, question: Question): AbortSignal {
  return question.signal === undefined ? signal : AbortSignal.any([signal, question.signal]);
}

/** Returns a listener that calls `onConsent` whenever the record is written as `consented`. */
function whenConsented({ onConsent }: Question): ((record: ElicitationRecord) => void) | undefined {
  return onConsent && (({ status }) => (status === "consented" ? onConsent() : undefined));
}

/**
 * The reason with which the turn was stopped. The reason of a tool or server that gave up is not shown, because it may
 * contain anything.
 */
function withdrawnBy({ aborted, reason }: AbortSignal): Settlement {
  return aborted && reason instanceof Error ? { outcome: "withdrawn", reason: reason.message } : NOT_NEEDED;
}

function resultOf(settlement: Settlement, record: ElicitationRecord, question: Question): ElicitationResult {
  const { outcome, content = {}, note, reason = "no reason was given", by, delegated } = settlement;
  if (delegated === true) return { outcome: "accepted", content: fallbackOf(question) ?? {}, delegated };
  if (outcome === "accepted") return { outcome, content, ...(by !== undefined && { by }) };
  if (outcome === "expired") return { outcome, afterMs: record.expiresAt - record.createdAt };
  if (outcome === "failed") return { outcome, reason };
  if (outcome === "declined" && note !== undefined) return { outcome, note };
  return { outcome };
}
