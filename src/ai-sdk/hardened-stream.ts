import { isObject } from "../contract/json.ts";
import { parseJson } from "../contract/parse-json.ts";
import { type ChunkSanitizerOptions, createChunkSanitizer } from "./chunk-sanitizer.ts";
import { type Clock, systemClock } from "../client/clock.ts";
import { isolateErrors } from "../client/listeners.ts";
import { readUnlessSilent } from "../client/silence.ts";
import { concat, createSseSplitter } from "./sse-splitter.ts";
import { createStreamPosition } from "./stream-position.ts";
import type { StreamState } from "./turn-state.ts";

/** No chunk of a turn follows after one of these (contract, section 3). */
const END_OF_TURN = /^(?:\[DONE\]$|{"type":"(?:finish|abort|error)")/;

/** The last event of a stream that the server ends while its turn continues (contract, section 3). */
const CONTINUES = /^data: ?{ ?"type": ?"data-turn-continues"/;

const START_STEP = /^data: ?{ ?"type": ?"start-step"/;
/** Makes the AI SDK drop the parts of the last step. Supported since version 7. */
const RESET_STEP = `data: ${JSON.stringify({ type: "reset-step" })}\n\n`;

const COLON = 58;

/** The end of a stream before its turn has ended. */
export interface StreamLoss {
  readonly error: unknown;
  /** Whether the server ended the stream and said that the turn continues. Otherwise the connection was lost. */
  readonly continues: boolean;
  /** Whether the stream contained new events since the last loss. */
  readonly hasAdvanced: boolean;
  /** The message that the stream writes, from its first chunk. */
  readonly messageId: string | undefined;
}

/** The callbacks of a hardened stream, and its handling of chunks that the AI SDK would refuse. */
export interface HardenedStreamOptions extends ChunkSanitizerOptions {
  /** Called once, with the message that the stream writes, from its first chunk. */
  onStart?: ((messageId: string | undefined) => void) | undefined;
  /**
   * Called with `open` when the stream is first read, with `lost` when its connection is lost and `reattach` is called,
   * with `open` when that succeeded, and with `closed` at any end. Never called for a body that is not read.
   */
  onState?: ((state: StreamState) => void) | undefined;
  /**
   * Called when the connection breaks, or the server ends the stream, before the turn has ended. Resolves with the stream
   * of the same turn from its beginning, or with nothing to end the stream. The part that was already read is skipped. A
   * rejection breaks it.
   * @default the stream breaks
   */
  reattach?: ((loss: StreamLoss) => Promise<ReadableStream<Uint8Array> | undefined>) | undefined;
  /**
   * Called when a model call ran again, so the server has replaced a part of the message that was already read, and the
   * AI SDK cannot take that part back. That is the case for more than the last step, and for any part before version 7.
   * Return `true` to read the whole message again. This stream then ends as if the chat had stopped it.
   * @default the stream breaks
   */
  onReplaced?: ((messageId: string | undefined) => boolean) | undefined;
  /** Measures how long the server is silent. @default the clock of this machine */
  clock?: Clock | undefined;
}

/**
 * Makes the bytes of a UI message stream safe for the AI SDK, which ends a chat at the first chunk that it does not know,
 * and observes the requests in it. It works event by event: it buffers only an incomplete event, does not read ahead, and
 * passes on the original bytes where no change is needed. An invalid event is dropped, and an error of a listener never
 * breaks the stream.
 */
export function hardenStream(
  body: ReadableStream<Uint8Array>,
  options: HardenedStreamOptions = {},
): ReadableStream<Uint8Array> {
  let reader = body.getReader();
  let splitter = createSseSplitter();
  const position = createStreamPosition();
  const { aiSdk = 7, clock = systemClock } = options;
  const onState = isolateErrors(options.onState);
  const sanitize = createChunkSanitizer({
    ...options,
    onRequest: isolateErrors(options.onRequest),
    onUnconfirmed: isolateErrors(options.onUnconfirmed),
  });
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let isComplete = false;
  let continues = false;
  let hasComments = false;
  /** Why the stream is read again. */
  let loss: unknown;
  let state: StreamState = "unread";

  let hasStarted = false;
  function harden(event: Uint8Array): Uint8Array | undefined {
    hasComments ||= event[0] === COLON;
    const text = decoder.decode(event);
    const isDelta = isPlainDelta(text);
    if (!isDelta && CONTINUES.test(text)) {
      continues = true;
      return undefined;
    }
    const passed = position.pass(event, !isDelta && START_STEP.test(text));
    // A comment, such as one that keeps the connection open, is no chunk.
    if (!hasStarted && position.first() !== undefined) {
      hasStarted = true;
      options.onStart?.(messageId());
    }
    if (passed === "changed") return replaceStep(event);
    return passed === "skip" ? undefined : isDelta ? event : sanitized(event, text);
  }

  function sanitized(event: Uint8Array, text: string): Uint8Array | undefined {
    try {
      const data = dataOf(text);
      isComplete ||= data !== undefined && END_OF_TURN.test(data);
      const chunk = data === undefined ? "keep" : sanitize(data);
      if (chunk === "keep") return event;
      return chunk === "drop" ? undefined : encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`);
    } catch {
      // The event is nested too deeply or too large.
      return undefined;
    }
  }

  /** Replaces the step that a model call had begun to write with the step of the replay. */
  function replaceStep(event: Uint8Array): Uint8Array {
    const again = aiSdk < 7 ? undefined : position.replaceStep(event);
    if (again === undefined) throw replaced();
    const events = [...again, event].map((one) => sanitized(one, decoder.decode(one)));
    return concat([encoder.encode(RESET_STEP), ...events.filter((one) => one !== undefined)]);
  }

  function messageId(): string | undefined {
    return messageIdIn(decoder.decode(position.first()));
  }

  /** The error that ends the stream when a part that was read has been replaced. */
  function replaced(): unknown {
    // A chat treats an abort as its own stop and shows no error.
    return options.onReplaced?.(messageId()) === true
      ? new DOMException("The message is read anew.", "AbortError")
      : loss;
  }

  async function hasReattached(error: unknown): Promise<boolean> {
    if (isComplete) return false;
    if (options.reattach === undefined && continues) return false;
    setState("lost");
    if (options.reattach === undefined) throw error;
    const again = await options.reattach({
      error,
      continues,
      hasAdvanced: position.hasAdvanced(),
      messageId: messageId(),
    });
    loss = error;
    continues = false;
    if (again === undefined || state !== "lost") {
      await again?.cancel();
      return false;
    }
    setState("open");
    reader = again.getReader();
    splitter = createSseSplitter();
    position.rewind(error);
    return true;
  }

  function setState(to: StreamState): void {
    state = to;
    onState(to);
  }

  function close(controller: ReadableStreamDefaultController<Uint8Array>): void {
    controller.close();
    setState("closed");
  }

  // One stream instead of a TransformStream between two, which is much cheaper per chunk.
  return new ReadableStream(
    {
      async pull(controller) {
        if (state === "unread") setState("open");
        try {
          for (;;) {
            let result: ReadableStreamReadResult<Uint8Array>;
            try {
              result = await (hasComments ? readUnlessSilent(reader, clock) : reader.read());
            } catch (error) {
              if (await hasReattached(error)) continue;
              return close(controller);
            }
            const { done, value } = result;
            if (done && !continues) position.end();
            const events = done ? splitter.rest() : splitter.split(value);
            const hardened = events.map(harden).filter((event) => event !== undefined);
            if (hardened.length > 0) controller.enqueue(concat(hardened));
            if (done && continues && (await hasReattached(endedEarly()))) continue;
            if (done) return close(controller);
            if (hardened.length > 0) return;
          }
        } catch (error) {
          setState("closed");
          void reader.cancel().catch(() => undefined);
          throw error;
        }
      },
      async cancel(reason) {
        const isConnected = state !== "lost";
        if (state !== "unread") setState("closed");
        if (isConnected) await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function endedEarly(): Error {
  return new Error("elicit-kit: the server ended the stream before its turn.");
}

/**
 * The data of an event, its lines joined (HTML standard, 9.2.6); `undefined` if it has none, for example for a comment.
 */
export function dataOf(event: string): string | undefined {
  const lines = event
    .split(/\r\n|\n|\r/)
    .filter((line) => line === "data" || line.startsWith("data:"))
    .map((line) => line.slice(line[5] === " " ? 6 : 5));
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** Returns the message id in a `start` chunk. */
function messageIdIn(event: string): string | undefined {
  const chunk = parseJson(dataOf(event) ?? "");
  const id = isObject(chunk) && chunk["type"] === "start" ? chunk["messageId"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/** The content of a JSON string, without escapes that need a parser (`\u`). */
const TEXT = String.raw`[^"\\\0-\x1f]*(?:\\["\\/bfnrt][^"\\\0-\x1f]*)*`;
const PLAIN_DELTA = /* @__PURE__ */ new RegExp(
  `^data: {"type":"(?:(?:text|reasoning)-delta","id":"${TEXT}","delta|tool-input-delta","toolCallId":"${TEXT}","inputTextDelta)":"${TEXT}"}\n\n$`,
);
/** A pattern that matches millions of escapes overflows the stack of the regex engine. */
const LONGEST = 64 * 1024;

/**
 * Whether an event is a delta in the usual format of servers: JSON that every version of the AI SDK accepts. Nearly all
 * events of a chat are such deltas, and this test is much faster than parsing. `false` means: parse the event.
 */
export function isPlainDelta(event: string): boolean {
  return event.length <= LONGEST && PLAIN_DELTA.test(event);
}
