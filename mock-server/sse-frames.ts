/** One server-sent event or comment, without the blank line that ends it. */
export type Frame = string;

/**
 * The same response with each frame of its event stream passed through `change`, only as fast as the stream is read.
 * Other responses stay unchanged. If the reader cancels or `change` throws, the source is cancelled.
 */
export function mapFrames(
  response: Response,
  change: (frames: AsyncIterable<Frame>) => AsyncIterable<Frame>,
): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) return response;
  const reader = response.body.getReader();
  const frames = change(framesOf(reader))[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await frames.next();
          if (done === true) controller.close();
          else controller.enqueue(encoder.encode(`${value}\n\n`));
        } catch (error) {
          await reader.cancel(error);
          controller.error(error);
        }
      },
      // Cancels the source directly, because the frames may be waiting for it.
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

/** Whether a frame is an event, and not a comment or the end mark. */
export function isEvent(frame: Frame): boolean {
  return frame.startsWith("data: ") && frame !== "data: [DONE]";
}

async function* framesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Frame, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const frames = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = frames.pop() ?? "";
    yield* frames;
  }
}
