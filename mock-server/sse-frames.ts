import { REQUEST_PART_TYPE } from "../src/contract/contract.ts";
import { isObject } from "../src/contract/json.ts";

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

/** The paths of the basic level, under the mock server's `basePath`. */
const OFFERED: ReadonlySet<string> = new Set(["/api/chat", "/api/elicitation-responses"]);

/**
 * Replies like a server of the contract's basic level: it has only the routes for chat and answers, its error bodies do
 * not follow the contract, and the stream contains each request once, without progress and end.
 */
export async function answerBasic(
  request: Request,
  basePath: string,
  server: (request: Request) => Promise<Response>,
): Promise<Response> {
  const path = new URL(request.url).pathname.slice(basePath.length);
  if (!OFFERED.has(path)) return new Response("Not found", { status: 404 });
  const response = await server(request);
  if (path === "/api/chat")
    return mapFrames(response, async function* (frames) {
      for await (const frame of frames) if (!isLater(frame)) yield frame;
    });
  if (!response.ok) return response;
  await response.body?.cancel();
  const headers = new Headers(response.headers);
  headers.delete("content-type");
  headers.delete("content-length");
  return new Response(null, { status: response.status, headers });
}

/** Whether a frame is an update of a request that was already on the stream: its progress or its end. */
function isLater(frame: string): boolean {
  const chunk: unknown = isEvent(frame) ? JSON.parse(frame.slice("data: ".length)) : undefined;
  const data = isObject(chunk) && chunk["type"] === REQUEST_PART_TYPE ? chunk["data"] : undefined;
  return isObject(data) && (data["progress"] !== undefined || data["resolution"] !== undefined);
}
