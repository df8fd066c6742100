import { SSE_HEADERS, formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk";

/**
 * Events as a stream. Rejects if there is not even a first one, so that the error can be the whole reply.
 */
export async function streamReply<Event>(
  events: AsyncGenerator<Event, void, undefined>,
  write: {
    readonly toJson: (event: Event) => unknown;
    readonly failed: (error: unknown) => unknown;
    /** An error before the first event is an event, too. */
    readonly alwaysStreams?: boolean | undefined;
    /** Called when the client goes away. */
    readonly leave: () => void;
  },
): Promise<Response> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<Event, void>> | undefined = events.next();
  if (write.alwaysStreams !== true) await next;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await (next ?? events.next());
        next = undefined;
        if (done === true) return controller.close();
        controller.enqueue(encoder.encode(formatSSEEvent(write.toJson(value))));
      } catch (error) {
        controller.enqueue(encoder.encode(formatSSEErrorEvent(write.failed(error))));
        controller.close();
      }
    },
    cancel() {
      write.leave();
      // Ends the reading only when its pending read ends, so nobody waits for it.
      void events.return();
    },
  });
  return new Response(body, { headers: SSE_HEADERS });
}
