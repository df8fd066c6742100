/**
 * A chat server that implements only the founding documents of elicitation: a bare `elicitation-request` event on the
 * stream, the header `x-supports-elicitation`, and `POST /run/api/elicitation-responses`. It has no features of the kit:
 * no status, no list, no data parts, no re-attaching, and its replies to answers are empty.
 */
export interface SeedServer {
  fetch: (request: Request) => Promise<Response>;
  /** The bodies of the answers that it has taken. */
  readonly answers: readonly unknown[];
}

/** The event of one question. The founding documents have `mode`, but a server may omit it. */
export interface SeedQuestion {
  elicitationId: string;
  message: string;
  url?: string;
  requestedSchema?: object;
  [member: string]: unknown;
}

const sse = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;

/** `asked`: the only question, or a function of the user's message. */
export function createSeedServer(asked: SeedQuestion | ((text: string) => SeedQuestion)): SeedServer {
  const answers: unknown[] = [];
  const waiting = new Map<string, (action: string) => void>();

  async function* run(question: SeedQuestion, isSupported: boolean): AsyncGenerator<string> {
    yield sse({ type: "start", messageId: crypto.randomUUID() });
    yield sse({ type: "text-start", id: "1" });
    if (isSupported) {
      const answered = new Promise<string>((resolve) => waiting.set(question.elicitationId, resolve));
      yield sse({ type: "elicitation-request", ...question });
      yield sse({ type: "text-delta", id: "1", delta: `The answer was ${await answered}.` });
    } else {
      yield sse({ type: "text-delta", id: "1", delta: "Tool requires user authentication." });
    }
    yield sse({ type: "text-end", id: "1" });
    yield sse({ type: "finish" });
    yield "data: [DONE]\n\n";
  }

  return {
    answers,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method === "POST" && pathname === "/run/api/chat") {
        const { messages = [] }: { messages?: { parts: { text?: string }[] }[] } = await request.json();
        const text =
          messages
            .at(-1)
            ?.parts.map((part) => part.text)
            .join("") ?? "";
        const question = typeof asked === "function" ? asked(text) : asked;
        const events = run(question, request.headers.get("x-supports-elicitation") === "true");
        const encoder = new TextEncoder();
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            const { done, value } = await events.next();
            if (done) controller.close();
            else controller.enqueue(encoder.encode(value));
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      }
      if (request.method === "POST" && pathname === "/run/api/elicitation-responses") {
        const answer: { elicitationId?: string; action?: string } = await request.json();
        const resume = waiting.get(answer.elicitationId ?? "");
        if (resume === undefined) return new Response("Not found", { status: 404 });
        waiting.delete(answer.elicitationId ?? "");
        answers.push(answer);
        resume(answer.action ?? "");
        return new Response(null, { status: 204 });
      }
      return new Response("Not found", { status: 404 });
    },
  };
}
