import { createRuntime, type RunTurn, type Runtime, type RuntimeOptions } from "../../src/runtime/index.ts";
import type { StreamChunk } from "../../src/runtime/internal.ts";
import { authenticateTestUser } from "../stages/chat-client.ts";
import { CITY, CONNECT, text } from "../stages/test-runtime.ts";
import { isObject } from "../../src/contract/json.ts";

/**
 * The behaviour of a server, which is the first segment of its path:
 * - `plain`: as in the contract
 * - `bare`: requests are bare events
 * - `chatty`: additional events that no AI SDK knows
 * - `broken`: the connection breaks when the agent asks
 * - `broken-late`: the connection breaks when the answer arrives
 * - `silent`: nothing more arrives after the agent asks, and the connection breaks after the end of the turn
 * - `durable`: the stream ends when the agent asks, no client can re-attach, and the reply to an answer is the rest of
 *   the run
 * - `short`: each stream ends after 200 ms
 */
export type Wire = "plain" | "bare" | "chatty" | "broken" | "broken-late" | "silent" | "durable" | "short";

export interface AgentServer {
  fetch: (request: Request) => Promise<Response>;
  runtime: Runtime;
}

type AgentServerOptions = Partial<Pick<RuntimeOptions, "platform" | "ports">> & {
  /** When the test has taken back half a text. */
  untilTakenBack?: Promise<void>;
};

/** A runtime whose agent follows the last message, behind a connection that can fail in many ways. */
export function createAgentServer({ untilTakenBack, ...options }: AgentServerOptions = {}): AgentServer {
  const create = (more: typeof options) =>
    createRuntime({
      ...more,
      runTurn: agentOf(untilTakenBack),
      authenticate: authenticateTestUser,
      allowedOrigins: () => true,
      onError: (error) => {
        throw error;
      },
    });
  const runtime = create(options);
  const short = create({ platform: { maxStreamMs: 200 } });

  async function fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const [, wire = "", path = ""] = /^\/([\w-]+)(\/.*)/.exec(url.pathname) ?? [];
    const inner = new Request(new URL(path + url.search, url), request);
    if (wire === "durable" && path.endsWith("/stream")) return new Response(null, { status: 204 });
    if (wire === "short") return short.fetch(inner);
    const isChat = request.method === "POST" && path === "/run/api/chat";
    if (!isChat) return runtime.fetch(inner);
    const isAnswer = (await inner.clone().text()).includes("data-elicitation-response");
    if (wire === "durable" && isAnswer) return continued(inner);
    const response = await runtime.fetch(inner);
    const write = WIRES[wire];
    if (response.body === null || write === undefined || isAnswer) return response;
    return new Response(rewritten(response.body, write), response);
  }

  /** The answer is taken, and the reply is the rest of the run. */
  async function continued(request: Request): Promise<Response> {
    const body: unknown = await request.clone().json();
    const taken = await runtime.fetch(request);
    if (!taken.ok || !isObject(body)) return taken;
    await taken.body?.cancel();
    const stream = new URL(`/run/api/chat/${String(body["id"])}/stream`, request.url);
    return runtime.fetch(new Request(stream, { headers: request.headers }));
  }

  async function close(): Promise<void> {
    await Promise.all([runtime.close(), short.close()]);
  }

  return { fetch, runtime: { ...runtime, close } };
}

const agentOf = (untilTakenBack?: Promise<void>): RunTurn =>
  async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const said = JSON.stringify(turn.messages.at(-1));
    if (said.includes("connect")) {
      const { outcome } = await turn.ask({ ...CONNECT, url: "https://auth.example.com/connect" });
      yield* text(`The account is ${outcome}.`);
    } else if (said.includes("weather")) {
      const result = await turn.ask(CITY);
      if (said.includes("twice")) await turn.ask(CITY);
      yield* text(
        `The city is ${result.outcome === "accepted" ? String(result.content["city"]) : "unknown"}.`,
      );
    } else if (said.includes("half a text")) {
      // Simulates a process that dies in the middle of a text. The model then returns another text.
      yield { type: "start-step" };
      yield { type: "text-start", id: "t1" };
      yield { type: "text-delta", id: "t1", delta: "The weather in Li" };
      await untilTakenBack;
      yield { type: "start-step" };
      const result = await turn.ask(CITY);
      yield* text(
        `The city is ${result.outcome === "accepted" ? String(result.content["city"]) : "unknown"}.`,
      );
    } else {
      yield { type: "text-start", id: "t1" };
      for (let index = 0; index < 50; index++) {
        if (said.includes("slowly")) await new Promise((resolve) => setTimeout(resolve, 8));
        yield { type: "text-delta", id: "t1", delta: `word${index} ` };
      }
      yield { type: "text-end", id: "t1" };
    }
    yield { type: "finish" };
  };

const sse = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;
const requestIn = (chunk: StreamChunk): Readonly<Record<string, unknown>> | undefined =>
  chunk.type === "data-elicitation-request" && "data" in chunk && isObject(chunk.data)
    ? chunk.data
    : undefined;

/** The replacement for a chunk. `"end"`, `"break"` and `"silence"` decide what happens to the stream after it. */
type Write = (chunk: StreamChunk) => readonly string[];

const WIRES: Readonly<Record<string, Write>> = {
  bare(chunk) {
    const request = requestIn(chunk);
    if (request === undefined) return [sse(chunk)];
    const { elicitationId, resolution } = request;
    return [sse(resolution ? { type: "elicitation-resolved", elicitationId, resolution } : request)];
  },
  chatty: (chunk) => [
    sse({ type: "tool-auth-required", toolName: "tracker" }),
    "data: {broken\n\n",
    sse(chunk),
    sse({ type: "error-report", severity: "low" }),
  ],
  broken: (chunk) => (requestIn(chunk) ? [sse(chunk), "break"] : [sse(chunk)]),
  silent: (chunk) => (requestIn(chunk) ? [sse(chunk), "silence"] : [sse(chunk)]),
  "broken-late": (chunk) => (requestIn(chunk)?.["resolution"] ? ["break"] : [sse(chunk)]),
  durable: (chunk) => (requestIn(chunk) ? [sse(chunk), "end"] : [sse(chunk)]),
};

/** Changes a stream of the runtime, whose events have one line each. */
function rewritten(body: ReadableStream<Uint8Array>, write: Write): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  const out: string[] = [];
  return new ReadableStream(
    {
      async pull(controller) {
        while (out.length === 0) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
          rest = events.pop() ?? "";
          for (const event of events) {
            out.push(...(event.startsWith("data: {") ? write(JSON.parse(event.slice(6))) : [`${event}\n\n`]));
          }
        }
        const next = out.shift() ?? "";
        if (next !== "end" && next !== "break" && next !== "silence")
          return controller.enqueue(encoder.encode(next));
        if (next === "silence") while (!(await reader.read()).done);
        await reader.cancel();
        if (next === "end") return controller.close();
        // Earlier chunks must have been sent, because an error drops them.
        await new Promise((resolve) => setTimeout(resolve, 100));
        controller.error(new Error("the connection is lost"));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
