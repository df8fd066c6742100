import { randomUUID } from "node:crypto";
import {
  type CallToolResult,
  Client,
  type ClientCapabilities,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { McpServer } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { type Eliciting, createEliciting, createElicitingHandler } from "../../../extras/mcp-server/index.ts";
import type { ElicitingOptions } from "../../../extras/mcp-server/elicitor/options.ts";
import {
  type AnswerReply,
  type CardRound,
  type HandedRound,
  type NextReply,
  isHandedRound,
} from "../../../src/mcp/wire/app.ts";

export const APP_CLIENT: ClientCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};

export type Era = "2025-11-25" | "2026-07-28";

/** One process of an MCP server whose tools ask through the card. */
export interface AppServer {
  /** A host of a user, with its own session in 2025. */
  host(options?: HostOptions): Promise<Host>;
  /** The client of the SDK that such a host has. */
  client(options?: HostOptions): Promise<Client>;
}

export interface HostOptions {
  era?: Era;
  /** The user. `undefined`: nobody is signed in. */
  token?: string | undefined;
  capabilities?: ClientCapabilities;
  name?: string;
  /** The user of a host that supports elicitation. */
  elicit?: (params: { mode?: string | undefined; message: string }) => ElicitResult;
}

export interface Host {
  call(
    tool: string,
    args?: Record<string, unknown>,
    options?: { signal?: AbortSignal },
  ): Promise<CallToolResult>;
  tools(): Promise<readonly { name: string; _meta?: unknown; outputSchema?: unknown }[]>;
  resources(): Promise<readonly { uri: string; mimeType?: string | undefined }[]>;
  /** The host is closed or reloaded. */
  close(): Promise<void>;
  /** A view, as the host shows one for each call. */
  view(known?: Record<string, unknown>): View;
}

export interface View {
  next(seen?: number, more?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<NextReply>;
  /** Polls until there is a question. */
  asked(): Promise<CardRound>;
  answer(round: CardRound, responses: Record<string, unknown>): Promise<AnswerReply>;
  /** Continues a round that was handed over. */
  continue(round: HandedRound, responses: Record<string, unknown>): Promise<AnswerReply>;
  /** Reports whether the host has accepted the result. */
  delivered(round: HandedRound, delivered: boolean): Promise<AnswerReply>;
}

export function serveApp(
  register: (server: McpServer, eliciting: Eliciting) => void,
  options: ElicitingOptions = {},
): AppServer {
  const eliciting = createEliciting({ app: true, ...options });
  const handler = createElicitingHandler(
    () => {
      const server = eliciting.createServer({ name: "parcels", version: "1" });
      register(server, eliciting);
      return server;
    },
    { onError: () => {} },
  );
  onTestFinished(() => handler.close());

  const url = new URL("http://localhost/mcp");
  const fetchOf = (given: HostOptions) => {
    const token = "token" in given ? given.token : "ada";
    const authInfo = token === undefined ? undefined : { token, clientId: "client", scopes: [] };
    return (request: Request) => handler.fetch(request, authInfo && { authInfo });
  };
  return {
    host: (given = {}) => connectHost(url, fetchOf(given), given),
    client: (given = {}) => connectClient(url, fetchOf(given), given),
  };
}

/** Connects the official SDK, as the client of a host with MCP Apps. */
async function connectClient(
  url: URL,
  fetch: (request: Request) => Promise<Response>,
  { era = "2026-07-28", capabilities = APP_CLIENT, name = "chat", elicit }: HostOptions = {},
): Promise<Client> {
  const client = new Client(
    { name, version: "1" },
    {
      capabilities,
      ...(era === "2026-07-28"
        ? { versionNegotiation: { mode: { pin: era } } }
        : { supportedProtocolVersions: [era] }),
    },
  );
  if (elicit !== undefined) client.setRequestHandler("elicitation/create", ({ params }) => elicit(params));
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: (input, init) => fetch(new Request(input, init)),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Connects a host whose views are simulated by the test. */
export async function connectHost(
  url: URL,
  fetch: (request: Request) => Promise<Response>,
  options: HostOptions = {},
): Promise<Host> {
  const client = await connectClient(url, fetch, options);

  const call: Host["call"] = (tool, args = {}, { signal } = {}) => {
    const called = client.callTool(
      { name: tool, arguments: args },
      { timeout: 600_000, ...(signal && { signal }) },
    );
    // A test may end before its calls.
    called.catch(() => {});
    return called;
  };
  const ofCard = async <Reply>(tool: string, args: Record<string, unknown>, signal?: AbortSignal) => {
    const { structuredContent } = await call(tool, args, signal && { signal });
    return structuredContent as Reply;
  };
  return {
    call,
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    close: () => client.close(),
    view(known = {}) {
      const view = randomUUID();
      const next: View["next"] = (seen = 0, more = {}, { signal } = {}) =>
        ofCard("elicitation_next", { view, seen, ...known, ...more }, signal);
      return {
        next,
        async asked() {
          const reply = await next();
          if (reply.status !== "asked") throw new Error(`not asked: ${JSON.stringify(reply)}`);
          return reply.round;
        },
        answer: ({ call: id, version }, responses) =>
          ofCard("elicitation_answer", { view, call: id, version, responses }),
        continue: (handed, responses) =>
          ofCard("elicitation_answer", {
            view,
            call: handed.call,
            version: handed.version,
            responses,
            handed,
          }),
        delivered: ({ call: id, version }, delivered) =>
          ofCard("elicitation_answer", { view, call: id, version, responses: {}, delivered }),
      };
    },
  };
}

export const accept = (answer: unknown) => ({ action: "accept", content: { answer } });

export function textOf({ content }: Pick<CallToolResult, "content">): string {
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}

/** Reads the round of questions that a tool's result leaves to its card. */
export function handedBy(result: CallToolResult): HandedRound {
  const { _meta: meta } = result;
  const round: unknown = meta?.["elicit-kit/round"];
  if (!isHandedRound(round)) throw new Error(`no round: ${JSON.stringify(result)}`);
  return round;
}
