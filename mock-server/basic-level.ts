import { REQUEST_PART_TYPE } from "../src/contract/contract.ts";
import { isObject } from "../src/contract/json.ts";
import { isEvent, mapFrames } from "./sse-frames.ts";

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
