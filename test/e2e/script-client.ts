import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from "ai";
import type { Demo } from "./demo.ts";

/** The parts of a request that the tests read. */
export interface Asked {
  elicitationId: string;
  mode: "url" | "form";
  url?: string;
  resolution?: { outcome: string };
}

/** The demo as a script uses it: `Authorization: Bearer demo-alice`, and the unchanged transport of the AI SDK. */
export class ScriptClient {
  readonly conversationId: string = crypto.randomUUID();
  readonly #demo: Demo;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(demo: Demo, user = "alice") {
    this.#demo = demo;
    this.#headers = { authorization: `Bearer demo-${user}` };
  }

  /** Runs one turn to its end. `onAsked` is called with each open request while the turn waits. */
  async run(
    text: string,
    {
      elicitation = true,
      onAsked,
    }: { elicitation?: boolean; onAsked?: (asked: Asked) => Promise<void> } = {},
  ): Promise<{ text: string; asked: readonly Asked[]; chunks: readonly UIMessageChunk[] }> {
    const transport = new DefaultChatTransport<UIMessage>({
      api: `${this.#demo.runtime}/run/api/chat`,
      headers: { ...this.#headers, ...(elicitation && { "x-supports-elicitation": "true" }) },
    });
    const stream = await transport.sendMessages({
      chatId: this.conversationId,
      trigger: "submit-message",
      messageId: undefined,
      messages: [{ id: "m1", role: "user", parts: [{ type: "text", text }] }],
      abortSignal: undefined,
    });
    const chunks: UIMessageChunk[] = [];
    const asked: Asked[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (chunk.type !== "data-elicitation-request") continue;
      const request = chunk.data as Asked;
      asked.push(request);
      if (request.resolution === undefined) await onAsked?.(request);
    }
    const said = chunks.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : "")).join("");
    return { text: said, asked, chunks };
  }

  fetch(path: string, init: { body?: unknown; headers?: Record<string, string> } = {}): Promise<Response> {
    const { body, headers } = init;
    return fetch(`${this.#demo.runtime}/run/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...this.#headers, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }

  /** Answers through the answer route. */
  answer(answer: Readonly<Record<string, unknown>>): Promise<Response> {
    return this.fetch("elicitation-responses", { body: { conversationId: this.conversationId, ...answer } });
  }

  /** Answers with a message of the chat that has only this part. */
  answerByMessage(answer: Readonly<Record<string, unknown>>): Promise<Response> {
    const parts = [{ type: "data-elicitation-response", data: answer }];
    return this.fetch("chat", {
      body: { id: this.conversationId, messages: [{ id: "m2", role: "user", parts }] },
    });
  }
}
