import { type ChunkMenderOptions, createChunkMender } from "./chunk-mender.ts";
import { concat, createEventCutter } from "./event-cutter.ts";
import { isPlainDelta } from "./plain-delta.ts";

/** What a hardened stream tells, and what it does with chunks that the AI SDK would refuse. */
export interface StreamHardeningOptions extends ChunkMenderOptions {
  /** Called when the stream is read for the first time; never for a body that nobody reads. */
  onOpen?: (() => void) | undefined;
  /** Called once after `onOpen`: the stream has ended, been cancelled, or broken before its end. */
  onClose?: ((how: "ended" | "cancelled" | "broken") => void) | undefined;
}

/**
 * Makes the bytes of a UI message stream safe for the AI SDK, which ends a chat over the first chunk that it does not
 * know, and taps the requests in it. Event by event: nothing is held back but an event that has not ended, nothing is
 * read ahead, and what needs no mending keeps its very bytes.
 *
 * @example
 * class Transport extends DefaultChatTransport<UIMessage> {
 *   protected override processResponseStream(stream: ReadableStream<Uint8Array>) {
 *     return super.processResponseStream(hardenUiMessageStream(stream, { onRequest }));
 *   }
 * }
 */
export function hardenUiMessageStream(
  body: ReadableStream<Uint8Array>,
  options: StreamHardeningOptions = {},
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const cutter = createEventCutter();
  const onOpen = apart(options.onOpen);
  const onClose = apart(options.onClose);
  const mend = createChunkMender({
    ...options,
    onRequest: apart(options.onRequest),
    onUnconfirmed: apart(options.onUnconfirmed),
  });
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let state: "unread" | "open" | "closed" = "unread";

  function harden(event: Uint8Array): Uint8Array | undefined {
    const text = decoder.decode(event);
    if (isPlainDelta(text)) return event;
    const data = dataOf(text);
    const mended = data === undefined ? "keep" : mend(data);
    if (mended === "keep") return event;
    return mended === "drop" ? undefined : encoder.encode(`data: ${JSON.stringify(mended)}\n\n`);
  }

  function close(how: "ended" | "cancelled" | "broken"): void {
    if (state === "open") onClose(how);
    state = "closed";
  }

  // One stream instead of a TransformStream between two: a fraction of the cost per chunk.
  return new ReadableStream(
    {
      async pull(controller) {
        if (state === "unread") {
          state = "open";
          onOpen();
        }
        try {
          for (;;) {
            const { done, value } = await reader.read();
            const events = done ? cutter.rest() : cutter.cut(value);
            const hardened = events.map(harden).filter((event) => event !== undefined);
            if (hardened.length > 0) controller.enqueue(concat(hardened));
            if (done) {
              controller.close();
              return close("ended");
            }
            if (hardened.length > 0) return;
          }
        } catch (error) {
          close("broken");
          throw error;
        }
      },
      async cancel(reason) {
        close("cancelled");
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The data of an event, its lines joined (HTML standard, 9.2.6); `undefined` when it has none, like a comment. */
function dataOf(event: string): string | undefined {
  const lines = event
    .split(/\r\n|\n|\r/)
    .filter((line) => line === "data" || line.startsWith("data:"))
    .map((line) => line.slice(line[5] === " " ? 6 : 5));
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** What a listener throws is for the page to hear, and no reason for the chat to end. */
function apart<Args extends unknown[]>(
  listener: ((...args: Args) => void) | undefined,
): (...args: Args) => void {
  return (...args) => {
    try {
      listener?.(...args);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
