import type { Clock } from "../client/clock.ts";
import { isNotOffered, isTemporary } from "../client/http-replies.ts";
import { isOffline } from "../client/online.ts";
import { isEventStream } from "./chat-transport.ts";
import type { StreamLoss } from "./hardened-stream.ts";

/**
 * Pauses between attempts. After the last one the stream fails, unless the browser is offline. While a request waits for
 * the user, the last pause is repeated, unless the server seems to have no route for the stream.
 */
const PAUSES_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/** A stream shorter than this counts as a lost connection. */
const SHORT_MS = 1_000;

export interface ReattachOptions {
  /** Requests the stream of the turn that writes this message. It includes an ended turn if the server has kept it. */
  request: (messageId: string | undefined) => Promise<Response>;
  /** Whether the stream is still wanted: the chat was not stopped, and no new message has ended the turn. */
  isWanted: () => boolean;
  /** Subscribes to changes of `isWanted`. Returns a function that unsubscribes. */
  onChange: (listener: () => void) => () => void;
  /**
   * Resolves when no request waits for the user any more. A server that has ended its stream need not keep another one
   * open until then.
   * @default at once
   */
  untilAnswered?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * Whether a request waits for the user. The turn then waits, however long the server is away.
   * @default never
   */
  isWaiting?: (() => boolean) | undefined;
  /** Subscribes to the return of the network. Returns a function that unsubscribes. */
  onOnline: (listener: () => void) => () => void;
  /**
   * Subscribes to replies of the server to requests beside the stream. Returns a function that unsubscribes.
   * @default never
   */
  onReached?: ((listener: () => void) => () => void) | undefined;
  clock: Clock;
  /** The signal of the chat's request. After an abort, its reason is thrown. */
  signal: AbortSignal | undefined;
}

/**
 * Requests the stream of a turn again after its connection was lost: at once, then with growing pauses, and at once when
 * the network or the server is back. If the server itself ended the stream, it waits until the user has answered. Returns
 * the function to call with each loss. That function resolves with a replay of the whole stream, or with nothing if the
 * stream is no longer wanted. It throws the error of the loss if the server does not re-attach or cannot be reached, and
 * an `elicit-kit:` error if the turn has ended in between and the server has not kept its stream.
 */
export function createReattach(
  options: ReattachOptions,
): (loss: StreamLoss) => Promise<ReadableStream<Uint8Array> | undefined> {
  const { request, isWanted, isWaiting, signal } = options;
  let tries = 0;
  let attachedAt = Number.NEGATIVE_INFINITY;
  let wasReached = true;
  /** How many of the last replies said that there is no such route. */
  let missing = 0;

  return async ({ error: loss, hasAdvanced, continues, messageId }) => {
    // Ask without a pause, unless the server ended the last stream at once: then the pauses grow.
    if (hasAdvanced || (continues && options.clock.now() - attachedAt >= SHORT_MS)) tries = 0;
    if (continues) await answered(options);
    for (;;) {
      const waits = isWaiting?.() === true && missing <= PAUSES_MS.length;
      if (tries > PAUSES_MS.length && !isOffline() && !waits) throw loss;
      const ms = PAUSES_MS[tries - 1] ?? PAUSES_MS.at(-1);
      // Pause before asking a server that replies but breaks the stream each time.
      const { onReached } = wasReached ? {} : options;
      if (tries > 0 && (await pause({ ...options, onReached }, ms)) === "online") tries = 0;
      tries += 1;
      const response = isWanted() ? await request(messageId).catch(() => undefined) : undefined;
      wasReached = response !== undefined && !isTemporary(response);
      missing = response !== undefined && isNotOffered(response) ? missing + 1 : 0;
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

function turnHasEnded(cause: unknown): Error {
  return new Error(
    "elicit-kit: the connection was lost, and the turn ended before it was back. Load the conversation again to read the rest.",
    { cause },
  );
}

/** Waits for a pause, or without limit while the browser is offline. */
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
