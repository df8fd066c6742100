import { REQUEST_PART_TYPE } from "../../protocol/contract.ts";
import { TurnAsk, newId, safeLog } from "../core/internal.ts";
import {
  type ElicitationResult,
  type Elicitor,
  type Question,
  type RouteChat,
  type Runtime,
  createElicitor,
} from "../core/index.ts";

/** What is used of the AI SDK's `UIMessageStreamWriter`. */
export interface StreamWriter {
  write(part: { type: `data-${string}`; id?: string; data: unknown }): void;
}

/**
 * What `createRouteElicit` takes: the runtime whose routes take the answers, and the stream of the route that
 * asks.
 */
export interface RouteElicitOptions {
  /** Its routes take the answers; `runTurn` is not needed for that. */
  runtime: Pick<Runtime, "ask" | "subscribe">;
  /** Of `createUIMessageStream`: gets the request, its progress and its end, or what is missing where nobody can be asked. */
  writer: StreamWriter;
  /** What the route answers: `await runtime.readChat(request)`. What is open is withdrawn when its client goes away. */
  chat: Omit<RouteChat, "messages">;
  /** Who asks, as the person is told. */
  requester: { name: string };
  onError: (error: unknown) => void;
}

/**
 * For an AI SDK route of your own: asks from inside a tool's `execute`, on the stream that the route writes. Call it once
 * for each request of the chat; then `elicitorFor("book_flight", toolCallId)` makes what one call of that tool asks with.
 * After a no the same tool gets the same result without asking, for as long as the request runs. Take old requests out of
 * the history first (`stripElicitationParts`), and reply with `keepAlive(response)` of `elicit-kit/runtime`.
 */
export function createRouteElicit(
  options: RouteElicitOptions,
): (toolName: string, toolCallId: string) => Elicitor {
  const { runtime, writer, requester } = options;
  const onError = safeLog(options.onError);
  const { user, signal, conversationId, chatOrigin, returnUrl } = options.chat;
  const turnId = newId();
  let open = 0;
  let stopWriting: (() => void) | undefined;

  async function ask(question: Question): Promise<ElicitationResult> {
    if (user === undefined || signal.aborted) return { outcome: "withdrawn" };
    open += 1;
    if (open === 1) {
      stopWriting = runtime.subscribe(turnId, (event) => {
        if (!("request" in event)) return;
        writer.write({ type: REQUEST_PART_TYPE, id: event.request.elicitationId, data: event.request });
      });
    }
    try {
      return await runtime.ask({ turnId, conversationId, user, chatOrigin, returnUrl, signal }, question);
    } finally {
      open -= 1;
      if (open === 0) stopWriting?.();
    }
  }

  const supports = user === undefined ? { url: false, form: false } : options.chat.supports;
  const turn = new TurnAsk({ supports, ask, notify: (notice) => writer.write(notice), onError });
  return (name, toolCallId) => createElicitor({ turn, tool: name, toolCallId, requester });
}
