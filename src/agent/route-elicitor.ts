import { REQUEST_PART_TYPE } from "../contract/contract.ts";
import type { AccountTurn } from "./mcp/mcp-server.ts";
import { Asker, type ElicitationResult, type RouteChat } from "../runtime/internal.ts";
import { newId } from "../base/ids.ts";
import { safeLog } from "../base/foreign-error.ts";
import { type Elicitor, type Question, type Runtime, createElicitor } from "../runtime/index.ts";

/** The methods of the AI SDK's `UIMessageStreamWriter` that are used. */
export interface StreamWriter {
  write(part: { type: `data-${string}`; id?: string; data: unknown }): void;
}

/**
 * The options of `createRouteElicitor`: the runtime whose routes take the answers, and the stream of the route that
 * asks.
 */
export interface RouteElicitorOptions {
  /** The runtime whose routes take the answers. It does not need `runTurn`. */
  runtime: Pick<Runtime, "ask" | "subscribe">;
  /**
   * The writer of `createUIMessageStream`. The function writes requests, their progress and outcomes, and notices of
   * missing connections to it.
   */
  writer: StreamWriter;
  /** The chat's message: `await runtime.readChat(request)`. Open requests are withdrawn when its client disconnects. */
  chat: Omit<RouteChat, "messages" | "body">;
  /** Shown to the user as the requester. */
  requester: { name: string };
  onError: (error: unknown) => void;
}

/**
 * Asks from inside a tool's `execute` in your own AI SDK route, on the stream that the route writes. Call it once per
 * HTTP request of the chat. The returned function creates the elicitor for one tool call: `elicitorFor("book_flight",
 * toolCallId)`. `elicitorFor.turn` is the turn for `createAccounts`. After a refusal, the same tool gets the same result
 * without a card until the HTTP request ends. Remove old requests from the history first (`historyForModel`), and
 * reply with `keepAlive(response)` of `elicit-kit/runtime`. It cannot ask in the background: the runtime does not write
 * this stream, so it cannot mark the first result of a call or write the last one when the client is gone.
 */
export function createRouteElicitor(options: RouteElicitorOptions): ((
  toolName: string,
  toolCallId: string | undefined,
) => Omit<Elicitor, "later">) & {
  readonly turn: AccountTurn;
} {
  const { runtime, writer, requester } = options;
  const onError = safeLog(options.onError);
  const { user, signal, conversationId, chatOrigin, returnUrl, languages } = options.chat;
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
  const asker = new Asker({
    supports,
    open: (questions) => new Map(questions.map((question) => [question, ask(question)])),
    notify: (notice) => writer.write(notice),
    onError,
  });
  const turn: AccountTurn = {
    id: turnId,
    user,
    signal,
    languages,
    ask: (question) => asker.ask(question),
    runner: { tool: async (_call, run) => run() },
  };
  return Object.assign(
    (name: string, toolCallId: string | undefined) =>
      createElicitor({ turn, tool: name, toolCallId, requester }),
    { turn },
  );
}
