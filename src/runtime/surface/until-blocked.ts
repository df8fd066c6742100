import type { ElicitationRequest } from "../../contract/contract.ts";
import type { TurnStreamEntry } from "../ports/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { discardedFrom, eventOf, wantsAnswer } from "../turn/turn-log.ts";
import type { SurfaceTurn } from "../turn/surface.ts";

/**
 * How long the log must be silent before the turn counts as blocked, in milliseconds. It groups parallel questions.
 */
const QUIET_MS = 250;
/** How long a question waits for that silence, in milliseconds. */
const MAX_NOISE_MS = 5000;

/** Where and why {@link untilBlocked} stopped reading. */
export interface TurnPause {
  /**
   * `blocked`: the turn waits for answers. `consented`: it waits until the user finishes on pages that they agreed to
   * open. `ended`: its log has ended. `aborted`: the signal was aborted.
   */
  readonly state: "blocked" | "consented" | "ended" | "aborted";
  /** Position of the last entry read. Pass it as `after` to the next call. `undefined` if there was no entry. */
  readonly after: number | undefined;
  /** The open requests, oldest first. */
  readonly requests: readonly ElicitationRequest[];
}

/** The part of a turn that `untilBlocked` reads, and when the turn counts as blocked. */
export interface UntilBlockedOptions {
  /** Reads the entries after this position. @default from the beginning */
  after?: number | undefined;
  /** Ends the reading, not the turn. */
  signal: AbortSignal;
  /** Called with every entry, in order. The next entry is read when its promise resolves: return one for backpressure. */
  onEntry?: ((entry: TurnStreamEntry) => void | Promise<void>) | undefined;
  /**
   * How long to keep reading while only consented requests are open, in milliseconds.
   * @default 50_000
   */
  consentMs?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/**
 * Reads a turn until it waits for an answer or has ended, for protocols in which a reply ends when the user is asked. A
 * turn counts as waiting when a request wants an answer, no tool input is being written, and the log is silent. Returning
 * too early is harmless: the next reply contains a later question.
 */
export async function untilBlocked(
  turn: Pick<SurfaceTurn, "read" | "open">,
  options: UntilBlockedOptions,
): Promise<TurnPause> {
  const { signal, onEntry, consentMs = 50_000, clock = systemClock } = options;
  const reading = new AbortController();
  const read = turn.read({
    after: options.after,
    live: true,
    signal: AbortSignal.any([signal, reading.signal]),
  });
  const iterator = read[Symbol.asyncIterator]();
  const inputs = createInputWatch();
  let { after } = options;
  let wantedAt: number | undefined;
  let consentedAt: number | undefined;
  let isQuiet = false;

  /** Decides whether to stop, once the log is silent or a question has waited long enough. */
  async function pause(): Promise<TurnPause | undefined> {
    const requests = await turn.open();
    const isWanted = requests.some(wantsAnswer);
    if (isWanted) return { state: "blocked", after, requests };
    wantedAt = undefined;
    if (requests.length === 0) {
      consentedAt = undefined;
      return undefined;
    }
    consentedAt ??= clock.now();
    return clock.now() - consentedAt < consentMs ? undefined : { state: "consented", after, requests };
  }

  /** Milliseconds until the next check. `undefined`: wait for the next entry. */
  function nextCheckMs(): number | undefined {
    const now = clock.now();
    const times = [
      ...(isQuiet || inputs.isWriting() ? [] : [QUIET_MS]),
      ...(wantedAt === undefined ? [] : [wantedAt + MAX_NOISE_MS - now]),
      ...(consentedAt === undefined ? [] : [consentedAt + consentMs - now]),
    ];
    return times.length === 0 ? undefined : Math.max(0, Math.min(...times));
  }

  let next = iterator.next();
  try {
    for (;;) {
      const arrived = await firstOf(next, nextCheckMs(), clock);
      if (signal.aborted) return { state: "aborted", after, requests: [] };
      if (arrived === undefined) {
        isQuiet = true;
        const found = await pause();
        if (found !== undefined) return found;
        continue;
      }
      if (arrived.done === true) return { state: "ended", after, requests: [] };
      const entry = arrived.value;
      after = entry.seq;
      isQuiet = false;
      inputs.see(entry);
      await onEntry?.(entry);
      const event = eventOf(entry);
      if (event.kind === "request" && wantsAnswer(event.request)) wantedAt ??= clock.now();
      next = iterator.next();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return { state: "aborted", after, requests: [] };
  } finally {
    reading.abort();
    // The read is abandoned; ignore its error.
    next.catch(() => undefined);
  }
}

/** Tracks tool calls whose input the model is still writing. */
function createInputWatch(): { see(entry: TurnStreamEntry): void; isWriting(): boolean } {
  const writing = new Set<unknown>();
  return {
    see(entry) {
      // The inputs of a discarded model call do not end.
      if (discardedFrom(entry) !== undefined) writing.clear();
      const { chunk } = entry;
      if (!("toolCallId" in chunk)) return;
      if (chunk.type === "tool-input-start") writing.add(chunk.toolCallId);
      else if (chunk.type !== "tool-input-delta") writing.delete(chunk.toolCallId);
    },
    isWriting: () => writing.size > 0,
  };
}

/** Resolves with `next`, or with `undefined` after `ms`. */
async function firstOf<T>(next: Promise<T>, ms: number | undefined, clock: Clock): Promise<T | undefined> {
  if (ms === undefined) return next;
  let cancel: (() => void) | undefined;
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([next, late]);
  } finally {
    cancel?.();
  }
}
