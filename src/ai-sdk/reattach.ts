import type { Clock } from "../client/clock.ts";
import { isOffline } from "../client/online.ts";
import type { StreamLoss } from "./hardened-stream.ts";

/**
 * Between one try and the next. After these the stream fails, unless the browser knows that it is offline. While a user
 * has something to answer, the last one is repeated.
 */
const PAUSES_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/** A stream that lasts shorter is no better than a connection that is lost. */
const SHORT_MS = 1_000;

export interface ReattachOptions {
  /** Requests the stream of the turn that writes this message; of an ended turn, too, if the server has kept it. */
  request: (messageId: string | undefined) => Promise<Response>;
  /** Whether the stream is still wanted: the chat was not stopped, and no new message has ended the turn. */
  isWanted: () => boolean;
  /** Calls back when that may have changed. Returns a function that ends it. */
  onChange: (listener: () => void) => () => void;
  /**
   * Resolves when the user has nothing to answer any more: a server that has ended its stream need not hold another
   * until then.
   * @default at once
   */
  untilAnswered?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * Whether the user has something to answer: their turn waits for them, however long its server is away.
   * @default never
   */
  isWaiting?: (() => boolean) | undefined;
  /** Calls back when the network is back. Returns a function that ends it. */
  onOnline: (listener: () => void) => () => void;
  /**
   * Calls back when the server has replied to a request beside the stream. Returns a function that ends it.
   * @default never
   */
  onReached?: ((listener: () => void) => () => void) | undefined;
  clock: Clock;
  /** Of the chat's request. When it has aborted, its reason is thrown. */
  signal: AbortSignal | undefined;
}

/**
 * Gets the stream of a turn again after its connection was lost: at once, then with growing pauses, and at once when the
 * network or the server is back. After a stream that the server has ended: once the user has answered. Returns the function to call with each loss. That resolves with a replay of the whole stream, or with
 * nothing when the stream is no longer wanted. It throws the error of the loss when the server does not re-attach or cannot
 * be reached, and an `elicit-kit:` error when the turn has ended meanwhile and the server has not kept its stream.
 */
export function createReattach(
  options: ReattachOptions,
): (loss: StreamLoss) => Promise<ReadableStream<Uint8Array> | undefined> {
  const { request, isWanted, isWaiting, signal } = options;
  let tries = 0;
  let attachedAt = Number.NEGATIVE_INFINITY;
  let wasReached = true;

  return async ({ error: loss, hasAdvanced, continues, messageId }) => {
    // A server that ends its streams at once must not be asked without a pause.
    if (hasAdvanced || (continues && options.clock.now() - attachedAt >= SHORT_MS)) tries = 0;
    if (continues) await answered(options);
    for (;;) {
      if (tries > PAUSES_MS.length && !isOffline() && isWaiting?.() !== true) throw loss;
      const ms = PAUSES_MS[tries - 1] ?? PAUSES_MS.at(-1);
      // A server that replies, but breaks the stream each time, is given its pause.
      const { onReached } = wasReached ? {} : options;
      if (tries > 0 && (await pause({ ...options, onReached }, ms)) === "online") tries = 0;
      tries += 1;
      const response = isWanted() ? await request(messageId).catch(() => undefined) : undefined;
      wasReached = response !== undefined && !isTemporary(response);
      if (isWanted() && response !== undefined && isEventStream(response) && response.body !== null) {
        attachedAt = options.clock.now();
        return response.body;
      }
      await response?.body?.cancel();
      signal?.throwIfAborted();
      if (!isWanted()) return undefined;
      if (response?.status === 204) throw turnHasEnded(loss);
      if (response !== undefined && !isTemporary(response)) throw loss;
    }
  };
}

/** Waits until the user has answered, or the stream is no longer wanted. */
async function answered({ untilAnswered, onChange }: ReattachOptions): Promise<void> {
  const waiting = new AbortController();
  let stop: (() => void) | undefined;
  const changed = new Promise<void>((resolve) => (stop = onChange(resolve)));
  await Promise.race([untilAnswered?.(waiting.signal), changed]);
  stop?.();
  waiting.abort();
}

export function isEventStream(response: Response): boolean {
  return (
    response.ok &&
    response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") === true
  );
}

/** The reply of a server that is down or busy for a moment is not about the turn. */
function isTemporary({ status }: Response): boolean {
  return status >= 500 || status === 429;
}

function turnHasEnded(cause: unknown): Error {
  return new Error(
    "elicit-kit: the connection was lost, and the turn ended before it was back. Load the conversation again to read the rest.",
    { cause },
  );
}

/** Waits, without an end while the browser knows that it is offline. */
function pause(
  { clock, onOnline, onReached, onChange }: ReattachOptions,
  ms: number | undefined,
): Promise<"online" | "over"> {
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const end = (how: "online" | "over"): void => {
      for (const stop of stops) stop();
      resolve(how);
    };
    stops.push(
      onOnline(() => end("online")),
      onChange(() => end("over")),
    );
    if (onReached !== undefined) stops.push(onReached(() => end("over")));
    if (ms !== undefined && !isOffline()) stops.push(clock.after(ms, () => end("over")));
  });
}
