import { isObject } from "../../src/protocol/json.ts";

type Body = Readonly<Record<string, unknown>>;

/** How a server writes the OpenAI-style route. The defaults are right. */
export interface CompletionsStyle {
  /** The content of the frames that carry a request. */
  request?: (request: string) => readonly string[];
  /** The content of the frames that carry what the model says. */
  text?: (text: string) => readonly string[];
  /** Whether the capability header is passed on. */
  isCapable?: (header: string | null) => boolean;
}

/**
 * Puts `POST /run/v1/chat/completions` in front of a server that has the other routes, as section 3 of the contract has
 * it: what the UI message stream writes as a chunk becomes the whole content of a frame.
 */
export function withCompletions(server: typeof fetch, style: CompletionsStyle = {}): typeof fetch {
  const {
    request: frames = (json) => [json],
    text = broken,
    isCapable = (header) => header === "true",
  } = style;
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, origin } = new URL(request.url);
    if (pathname !== "/run/v1/chat/completions") return server(request);
    const response = await server(`${origin}/run/api/chat`, await chatRequest(request, isCapable));
    if (response.body === null) return response;
    const lines = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(frameByFrame(frames, text));
    const headers = { "content-type": "text/event-stream" };
    return new Response(lines.pipeThrough(new TextEncoderStream()), { headers });
  };
}

/** A text that would parse as a JSON object goes out in pieces. */
function broken(text: string): readonly string[] {
  return text.trimStart().startsWith("{") ? text.split(/(?<=\{)/) : [text];
}

async function chatRequest(
  request: Request,
  isCapable: (header: string | null) => boolean,
): Promise<RequestInit> {
  const body: unknown = await request.json();
  const messages = isObject(body) && Array.isArray(body["messages"]) ? body["messages"] : [];
  const said = messages.map((message: Body) => ({
    role: message["role"],
    parts: [{ type: "text", text: message["content"] }],
  }));
  const conversationId = isObject(body) ? body["conversationId"] : undefined;
  const headers = new Headers(request.headers);
  headers.set("x-supports-elicitation", String(isCapable(headers.get("x-supports-elicitation"))));
  return { method: "POST", headers, body: JSON.stringify({ conversationId, messages: said }) };
}

function frameByFrame(
  request: (json: string) => readonly string[],
  text: (text: string) => readonly string[],
) {
  let rest = "";
  return new TransformStream<string, string>({
    transform(piece, controller) {
      const lines = (rest + piece).split("\n\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!line.startsWith("data: {")) continue;
        const chunk: unknown = JSON.parse(line.slice("data: ".length));
        for (const content of isObject(chunk) ? contentOf(chunk, request, text) : []) {
          const choices = [{ index: 0, delta: { content }, finish_reason: null }];
          controller.enqueue(`data: ${JSON.stringify({ object: "chat.completion.chunk", choices })}\n\n`);
        }
      }
    },
  });
}

function contentOf(
  chunk: Body,
  request: (json: string) => readonly string[],
  text: (text: string) => readonly string[],
): readonly string[] {
  if (chunk["type"] === "text-delta") return text(String(chunk["delta"]));
  const data =
    chunk["type"] === "data-elicitation-request" && isObject(chunk["data"]) ? chunk["data"] : undefined;
  if (data === undefined) return [];
  const { elicitationId, resolution } = data;
  if (resolution === undefined) return request(JSON.stringify(data));
  return request(JSON.stringify({ type: "elicitation-resolved", elicitationId, resolution }));
}
