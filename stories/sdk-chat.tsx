import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { client } from "@agentclientprotocol/sdk";
import { HttpAgent } from "@ag-ui/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Elicitations } from "elicit-kit";
import { createA2aChannel } from "elicit-kit/a2a";
import { createA2aSurface } from "elicit-kit/a2a/server";
import { createAcpChannel } from "elicit-kit/acp";
import { createAcpSurface } from "elicit-kit/acp/server";
import { createAgUiChannel } from "elicit-kit/ag-ui";
import { createAgUiSurface } from "elicit-kit/ag-ui/server";
import { type ElicitationClient, createElicitationClient } from "elicit-kit/client";
import { createMcpChannel } from "elicit-kit/mcp";
import { createMcpSurface } from "elicit-kit/mcp/server";
import {
  type FormQuestion,
  type Runtime,
  type RunTurn,
  type UrlQuestion,
  createRuntime,
} from "elicit-kit/runtime";
import { useEffect, useState, useSyncExternalStore } from "react";
import { FakeBrowser } from "../src/client/popup/testing/fake-browser.ts";

/** Messages that the user can choose, and the request that the agent asks then. */
const QUESTIONS = {
  "Ask for a form": () => [city],
  "Ask for a page": () => [connect],
  "Ask for several at once": () => [city, connect, nights],
} satisfies Record<string, () => readonly (FormQuestion | UrlQuestion)[]>;

const tool = { id: "hotels", name: "book_hotel" };
const city: FormQuestion = {
  mode: "form",
  message: "Where to?",
  tool,
  requestedSchema: {
    type: "object",
    properties: { city: { type: "string", title: "City", minLength: 2 } },
    required: ["city"],
  },
};
const nights: FormQuestion = {
  mode: "form",
  message: "For how long?",
  tool,
  requestedSchema: {
    type: "object",
    properties: { nights: { type: "integer", title: "Nights", minimum: 1 } },
    required: ["nights"],
  },
};
const connect: UrlQuestion = {
  mode: "url",
  message: "To book, connect your hotel account.",
  tool,
  url: (id) => `https://hotels.example.com/connect?id=${id}`,
  context: { trigger: "credential_required" },
};

/** An agent that asks what the last message names, and reports how each request ended. */
const runTurn: RunTurn = async function* run(turn) {
  const said = JSON.stringify(turn.messages.at(-1));
  const [, questions] = Object.entries(QUESTIONS).find(([text]) => said.includes(text)) ?? [];
  const results = await Promise.all((questions?.() ?? []).map((question) => turn.ask(question)));
  yield { type: "text-start", id: "t1" };
  yield {
    type: "text-delta",
    id: "t1",
    delta: `Ended: ${results.map(({ outcome }) => outcome).join(", ")}.`,
  };
  yield { type: "text-end", id: "t1" };
};

/** A page and an agent behind a protocol, in one process. */
interface Connection {
  client: ElicitationClient;
  conversationId: string;
  say(text: string): Promise<unknown>;
}

interface World {
  runtime: Runtime;
  browser: FakeBrowser;
  onText: (text: string) => void;
}

export type Connect = (world: World) => Promise<Connection>;

const ADA = { id: "ada" };

/** The two ends of the ACP SDK, connected within the process. */
export const overAcp: Connect = async ({ runtime, browser, onText }) => {
  const app = client({ name: "page" }).onNotification("session/update", ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      onText(update.content.text);
  });
  const channel = createAcpChannel({ app, agentName: "Planner" });
  const acp = createAcpSurface({
    runtime,
    name: "planner",
    onError: console.error,
  });
  const { agent } = app.connect(acp.agentFor(ADA));
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: { ...channel.capabilities } });
  const { sessionId } = await agent.request("session/new", { cwd: "/home/ada", mcpServers: [] });
  return {
    client: createElicitationClient({ channel, storage: null, popupEnvironment: browser }),
    conversationId: sessionId,
    async say(text) {
      await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
      channel.endTurn(sessionId);
    },
  };
};

/** The `HttpAgent` of AG-UI, which calls our endpoint within the process. */
export const overAgUi: Connect = async ({ runtime, browser, onText }) => {
  const endpoint = createAgUiSurface({ runtime, authenticate: () => ADA, onError: console.error });
  const agent = new HttpAgent({
    url: "https://agent.example.com/agent",
    threadId: crypto.randomUUID(),
    fetch: (url, init) => endpoint.fetch(new Request(url, init)),
  });
  agent.subscribe({ onTextMessageContentEvent: ({ event }) => onText(event.delta) });
  const channel = createAgUiChannel({ agent, agentName: "Planner", storage: null });
  return {
    client: createElicitationClient({ channel, storage: null, popupEnvironment: browser }),
    conversationId: agent.threadId,
    say(text) {
      agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
      return agent.runAgent();
    },
  };
};

/**
 * The `Client` of the MCP SDK, which calls our endpoint within the process: over a session in 2025, in rounds in 2026.
 */
const overMcpOf =
  (revision: "2025-11-25" | "2026-07-28"): Connect =>
  async ({ runtime, browser, onText }) => {
    const endpoint = createMcpSurface({
      runtime,
      url: "https://agent.example.com/run/v1/mcp",
      name: "planner",
      authenticate: () => ({ user: ADA }),
      onError: console.error,
    });
    const mcp = new Client(
      { name: "page", version: "1.0.0" },
      revision === "2026-07-28"
        ? { versionNegotiation: { mode: { pin: revision } } }
        : { supportedProtocolVersions: [revision] },
    );
    const channel = createMcpChannel({ client: mcp, serverName: "Planner" });
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL("https://agent.example.com/run/v1/mcp"), {
        fetch: (url, init) => endpoint.fetch(new Request(url, init)),
      }),
    );
    return {
      client: createElicitationClient({ channel, storage: null, popupEnvironment: browser }),
      conversationId: "mcp",
      async say(text) {
        const { content } = await channel.callTool({ name: "ask_agent", arguments: { message: text } });
        for (const block of content) if (block.type === "text") onText(block.text);
      },
    };
  };

export const overMcp2025 = overMcpOf("2025-11-25");
export const overMcp2026 = overMcpOf("2026-07-28");

/** The client of the A2A SDK, which calls our endpoint within the process. */
export const overA2a: Connect = async ({ runtime, browser, onText }) => {
  const url = "https://agent.example.com/run/v1/a2a";
  const endpoint = createA2aSurface({
    runtime,
    authenticate: () => ({ user: ADA }),
    url,
    card: { name: "Planner", description: "Plans trips" },
    onError: console.error,
  });
  const fetchImpl: typeof fetch = (input, init) => endpoint.fetch(new Request(input, init));
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  );
  const agent = await factory.createFromUrl("https://agent.example.com");
  const channel = createA2aChannel({ client: agent, agentName: "Planner" });
  return {
    client: createElicitationClient({ channel, storage: null, popupEnvironment: browser }),
    conversationId: "a2a",
    async say(text) {
      const task = await channel.send(text);
      onText(task.text);
    },
  };
};

/** A page with buttons for messages, the cards, and the agent's text. */
export function SdkChat({ connectTo }: { connectTo: Connect }) {
  const [said, setSaid] = useState("");
  const [connection, setConnection] = useState<Connection>();
  const [browser] = useState(() => new FakeBrowser());
  const [runtime] = useState(() =>
    createRuntime({ runTurn, authenticate: () => ADA, allowedOrigins: [], onError: console.error }),
  );
  useEffect(() => {
    const onText = (text: string) => setSaid((before) => before + text);
    void connectTo({ runtime, browser, onText }).then(setConnection);
  }, [connectTo, runtime, browser]);
  if (connection === undefined) return null;
  return (
    <div className="book-stage">
      <section className="book-chat book-sdk" aria-label="Chat">
        <div>
          {Object.keys(QUESTIONS).map((text) => (
            <button key={text} type="button" className="button" onClick={() => void connection.say(text)}>
              {text}
            </button>
          ))}
        </div>
        <Elicitations client={connection.client} conversationId={connection.conversationId} />
        <p>{said}</p>
      </section>
      <HotelWindow browser={browser} runtime={runtime} />
    </div>
  );
}

/** The popup, shown above the chat. */
function HotelWindow({ browser, runtime }: Pick<World, "browser" | "runtime">) {
  const url = useSyncExternalStore(browser.subscribe, () => browser.current?.visited.at(-1));
  if (url === undefined) return null;
  async function allow(id: string): Promise<void> {
    await runtime.elicitations.complete(id);
    browser.current?.close();
  }
  return (
    <section className="book-window" aria-label="Hotels">
      <header>
        <span>{new URL(url).host}</span>
      </header>
      <div>
        <button
          type="button"
          className="button"
          onClick={() => void allow(new URL(url).searchParams.get("id") ?? "")}
        >
          Allow
        </button>
      </div>
    </section>
  );
}
