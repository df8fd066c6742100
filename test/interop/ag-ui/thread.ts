import { HttpAgent, type Message } from "@ag-ui/client";
import { EventSchemas as OlderEventSchemas } from "@ag-ui/client-0.0.59";
import { EventSchemas } from "@ag-ui/core/schemas";
import { type AgUiChannel, createAgUiChannel } from "elicit-kit/ag-ui";
import type { AgUiChannelOptions } from "../../../extras/ag-ui/page/channel.ts";
import { type AgUiSurface, createAgUiSurface } from "elicit-kit/ag-ui/server";
import type { AgUiSurfaceOptions } from "../../../extras/ag-ui/serve/surface.ts";
import type { RunTurn, RuntimeOptions } from "elicit-kit/runtime";
import { authenticateTestUser } from "../../stages/chat-client.ts";
import { type PageClient, createPageClient } from "../../stages/page-client.ts";
import { type TestRuntime, createTestRuntime } from "../../stages/test-runtime.ts";

export interface Served {
  runtime: TestRuntime;
  errors: unknown[];
  endpoint: AgUiSurface["fetch"];
  /** The endpoint, in process. Every event is validated with the schemas of AG-UI 1.0 and 0.0.59. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  bodies: Readonly<Record<string, unknown>>[];
  /** Changes a reply in transit, for example to lose its end. */
  tamper: ((response: Response) => Response) | undefined;
}

/** A runtime behind AG-UI. It uses the real clock, because a run waits for a short silence. */
export function serve(
  runTurn: RunTurn,
  options: Partial<RuntimeOptions> = {},
  surfaceOptions: Partial<AgUiSurfaceOptions> = {},
): Served {
  const runtime = createTestRuntime(runTurn, {
    ...options,
    ports: { clock: { now: Date.now, after: (ms, run) => timer(ms, run) }, ...options.ports },
  });
  const errors: unknown[] = [];
  const surface = createAgUiSurface({
    runtime,
    authenticate: authenticateTestUser,
    onError: (error) => errors.push(error),
    ...surfaceOptions,
  });
  const served: Served = {
    runtime,
    errors,
    endpoint: surface.fetch,
    bodies: [],
    tamper: undefined,
    async fetch(url, init) {
      served.bodies.push(JSON.parse(typeof init?.body === "string" ? init.body : "{}"));
      const response = checked(await surface.fetch(new Request(url, init)));
      return served.tamper?.(response) ?? response;
    },
  };
  return served;
}

function timer(ms: number, run: () => void): () => void {
  const id = setTimeout(run, ms);
  return () => clearTimeout(id);
}

/** Fails the stream at an event that a version of AG-UI refuses. */
function checked(response: Response): Response {
  const decoder = new TextDecoder();
  let rest = "";
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(bytes, controller) {
        const events = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) {
          if (!event.startsWith("data: ")) continue;
          for (const schemas of [EventSchemas, OlderEventSchemas]) schemas.parse(JSON.parse(event.slice(6)));
        }
        controller.enqueue(bytes);
      },
    }),
  );
  return new Response(body ?? null, response);
}

/** A page: the real `HttpAgent`, and our channel and client. */
export interface Page extends PageClient {
  agent: HttpAgent;
  channel: AgUiChannel;
  say(text: string): Promise<void>;
  texts(): readonly string[];
}

export interface PageOptions extends Partial<AgUiChannelOptions> {
  user?: string;
  threadId?: string;
  initialMessages?: Message[];
}

export function open(served: Pick<Served, "fetch">, options: PageOptions = {}): Page {
  const { user = "ada", threadId = "thread-1", initialMessages = [], ...more } = options;
  const agent = new HttpAgent({
    url: "https://agent.example.com/agent",
    threadId,
    initialMessages,
    headers: { authorization: `Bearer ${user}` },
    fetch: served.fetch,
  });
  const channel = createAgUiChannel({ agent, agentName: "Planner", storage: null, ...more });
  let count = 0;
  return {
    agent,
    channel,
    ...createPageClient(channel),
    async say(text) {
      count += 1;
      agent.addMessage({ id: `${threadId}-user-${count}`, role: "user", content: text });
      await agent.runAgent();
    },
    texts: () =>
      agent.messages.flatMap(({ role, content }) =>
        role === "assistant" && typeof content === "string" ? [content] : [],
      ),
  };
}
