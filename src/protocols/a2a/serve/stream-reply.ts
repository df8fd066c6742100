import { formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk";
import type { Clock } from "../../../base/clock.ts";
import { eventStream } from "../../../base/event-stream.ts";

/** Sends events as a stream. Rejects if the first event fails, so that the error can become the reply. */
export async function streamReply<Event>(
  events: AsyncGenerator<Event, void, undefined>,
  write: {
    readonly toJson: (event: Event) => unknown;
    readonly failed: (error: unknown) => unknown;
    /** With this, an error before the first event is sent as an event, too. */
    readonly alwaysStreams?: boolean | undefined;
    /** Called when the client leaves. */
    readonly leave: () => void;
    readonly clock: Clock;
  },
): Promise<Response> {
  const first = events.next();
  if (write.alwaysStreams === true) first.catch(() => undefined);
  else await first;
  return eventStream(startingWith(first, events), {
    frame: (event) => formatSSEEvent(write.toJson(event)),
    failed: (error) => formatSSEErrorEvent(write.failed(error)),
    onLeave: write.leave,
    clock: write.clock,
  });
}

async function* startingWith<Event>(
  first: Promise<IteratorResult<Event, void>>,
  events: AsyncGenerator<Event, void, undefined>,
): AsyncGenerator<Event, void, undefined> {
  const { done, value } = await first;
  if (done === true) return;
  yield value;
  yield* events;
}
