import type { ElicitationRequest } from "../../../protocol/contract.ts";
import type { Clock, StreamChunk, TurnStreamEntry } from "../ports.ts";
import { systemClock } from "../shared/clock.ts";
import { eventOf, wantsAnswer } from "./logged-event.ts";
import type { SurfaceTurn } from "./surface.ts";

/** Where {@link untilBlocked} has stopped reading. */
export interface TurnPause {
  /**
   * `blocked`: the turn waits for answers. `consented`: it waits for what the person does on pages they have agreed to
   * open. `ended`: its log has ended. `aborted`: the signal has.
   */
  readonly state: "blocked" | "consented" | "ended" | "aborted";
  /** Position of the last entry that was read: `after` of the next call. `undefined`: there was none. */
  readonly after: number | undefined;
  /** What is open, oldest first. */
  readonly requests: readonly ElicitationRequest[];
}

export interface UntilBlockedOptions {
  /** Position behind which to read. Absent: from the beginning. */
  after?: number | undefined;
  /** Ends the reading, not the turn. */
  signal: AbortSignal;
  /** Gets every entry that is read, in order. */
  onEntry?: ((entry: TurnStreamEntry) => void) | undefined;
  /**
   * How long the log must be silent before the turn counts as blocked, so that questions asked at once come together.
   * @default 250
   */
  quietMs?: number | undefined;
  /**
   * How long a question waits for that silence.
   * @default 5_000
   */
  maxMs?: number | undefined;
  /**
   * How long to read on when only requests with consent are open.
   * @default 50_000
   */
  consentMs?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/**
 * For protocols in which a reply ends where the person is asked: reads a turn until it waits for an answer, or has
 * ended. It waits when a request wants an answer, no tool input is being written, and the log is quiet. Too early is
 * harmless: what is asked a little later comes with the next reply.
 */
export async function untilBlocked(
  turn: Pick<SurfaceTurn, "read" | "open">,
  options: UntilBlockedOptions,
): Promise<TurnPause> {
  const { signal, onEntry, quietMs = 250, maxMs = 5000, consentMs = 50_000, clock = systemClock } = options;
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

  /** Decides, once the log is quiet or a question has waited long enough. */
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

  /** When to look next, in milliseconds; `undefined`: at the next entry. */
  function lookIn(): number | undefined {
    const now = clock.now();
    const times = [
      ...(isQuiet || inputs.isWriting() ? [] : [quietMs]),
      ...(wantedAt === undefined ? [] : [wantedAt + maxMs - now]),
      ...(consentedAt === undefined ? [] : [consentedAt + consentMs - now]),
    ];
    return times.length === 0 ? undefined : Math.max(0, Math.min(...times));
  }

  let next = iterator.next();
  try {
    for (;;) {
      const arrived = await firstOf(next, lookIn(), clock);
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
      inputs.see(entry.chunk);
      onEntry?.(entry);
      const event = eventOf(entry);
      if (event.kind === "request" && wantsAnswer(event.request)) wantedAt ??= clock.now();
      next = iterator.next();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return { state: "aborted", after, requests: [] };
  } finally {
    reading.abort();
    // Nobody waits for it any more.
    next.catch(() => undefined);
  }
}

/** Tool calls whose input is being written by the model. */
function createInputWatch(): { see(chunk: StreamChunk): void; isWriting(): boolean } {
  const writing = new Set<unknown>();
  return {
    see(chunk) {
      if (!("toolCallId" in chunk)) return;
      if (chunk.type === "tool-input-start") writing.add(chunk.toolCallId);
      else if (chunk.type !== "tool-input-delta") writing.delete(chunk.toolCallId);
    },
    isWriting: () => writing.size > 0,
  };
}

/** `undefined`: `ms` have passed before. */
async function firstOf<T>(next: Promise<T>, ms: number | undefined, clock: Clock): Promise<T | undefined> {
  if (ms === undefined) return next;
  let callOff: (() => void) | undefined;
  const late = new Promise<undefined>((resolve) => {
    callOff = clock.after(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([next, late]);
  } finally {
    callOff?.();
  }
}
