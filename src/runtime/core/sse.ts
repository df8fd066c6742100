import type { Clock, TurnStreamEntry } from "./ports.ts";

/** Of a UI message stream, version 1 of the AI SDK's protocol. */
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-vercel-ai-ui-message-stream": "v1",
  "x-accel-buffering": "no",
};

/**
 * A turn as server-sent events, with a comment whenever nothing was said for `keepAliveMs`: load balancers close silent
 * connections after 50 to 300 seconds, a question may take ten minutes. A reader that goes away aborts `reader` only,
 * not the turn.
 */
export function uiMessageStream(
  entries: AsyncIterable<TurnStreamEntry>,
  options: {
    reader: AbortController;
    clock: Clock;
    keepAliveMs: number;
    onCancel?: (() => void) | undefined;
  },
): Response {
  const { reader, clock, keepAliveMs, onCancel } = options;
  const iterator = entries[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let callOff: (() => void) | undefined;

  function expectSilence(controller: ReadableStreamDefaultController<Uint8Array>) {
    callOff?.();
    callOff = clock.after(keepAliveMs, () => {
      // A client that reads too slowly has enough to read.
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": keep-alive\n\n"));
      expectSilence(controller);
    });
  }

  const body = new ReadableStream<Uint8Array>({
    start: expectSilence,
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (reader.signal.aborted) return;
      if (done === true) {
        callOff?.();
        controller.enqueue(encoder.encode("data: [DONE]\n\n"));
        controller.close();
      } else {
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(value.chunk)}\n\n`));
        expectSilence(controller);
      }
    },
    cancel() {
      callOff?.();
      reader.abort();
      onCancel?.();
    },
  });
  return new Response(body, { headers: HEADERS });
}
