import {
  Client,
  type ClientCapabilities,
  type ElicitRequest,
  type ElicitResult,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ElicitRequestSchema,
  ElicitationCompleteNotificationSchema,
  LATEST_PROTOCOL_VERSION,
} from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";

/** How an official client answers. */
export type Answer = (
  params: ElicitRequest["params"],
  signal: AbortSignal,
) => ElicitResult | Promise<ElicitResult>;

export interface ClientOptions {
  answer?: Answer;
  capabilities?: ClientCapabilities;
  token?: string;
}

/** The final result of a call, and the events before it. */
export interface Called {
  text: string;
  isError: boolean;
  structured: Readonly<Record<string, unknown>>;
}

export interface TestClient {
  call(args: Readonly<Record<string, unknown>>, options?: { signal?: AbortSignal }): Promise<Called>;
  /** Messages of `notifications/progress`. */
  readonly progress: string[];
  /** Ids of `notifications/elicitation/complete`. */
  readonly completed: string[];
  /** Sends a message that the SDK would not send. */
  send(message: JSONRPCMessage): Promise<void>;
  close(): Promise<void>;
  /** Ends the session, like a client that its user closes. */
  endSession(): Promise<void>;
}

export const BOTH = { elicitation: { form: {}, url: {} } };
const TIMEOUT = 600_000;

export type Era = "2025-06-18" | "2025-11-25" | "2026-07-28";

/** Version 2 of the official SDK. In 2026 it answers rounds automatically. */
export async function clientV2(url: string, era: Era, options: ClientOptions = {}): Promise<TestClient> {
  const { answer, capabilities = BOTH, token = "ada" } = options;
  const client = new Client(
    { name: "client-v2", version: "2" },
    {
      capabilities,
      ...(era === "2026-07-28"
        ? { versionNegotiation: { mode: { pin: "2026-07-28" } } }
        : { supportedProtocolVersions: [era] }),
    },
  );
  const progress: string[] = [];
  const completed: string[] = [];
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler("elicitation/create", async (request, ctx) =>
      (answer ?? (() => ({ action: "cancel" as const })))(request.params, ctx.mcpReq.signal),
    );
  }
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
    completed.push(params.elicitationId);
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    progress,
    completed,
    send: (message) => transport.send(message),
    close: () => client.close(),
    endSession: async () => {
      await transport.terminateSession();
      await client.close();
    },
    async call(args, { signal } = {}) {
      const result = await client.callTool(
        { name: "ask_agent", arguments: { ...args } },
        {
          timeout: TIMEOUT,
          onprogress: ({ message }) => void progress.push(message ?? ""),
          ...(signal !== undefined && { signal }),
        },
      );
      return calledOf(result);
    },
  };
}

/** Version 1 of the official SDK. */
export async function clientV1(url: string, era: Era, options: ClientOptions = {}): Promise<TestClient> {
  const { answer, capabilities = BOTH, token = "ada" } = options;
  const client = new ClientV1({ name: "client-v1", version: "1" }, { capabilities });
  const progress: string[] = [];
  const completed: string[] = [];
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async (request, { signal }) =>
      (answer ?? (() => ({ action: "cancel" as const })))(request.params, signal),
    );
  }
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
    completed.push(params.elicitationId);
  });
  const transport = new TransportV1(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    // Version 1 always requests its newest revision, so an older one is put into the message.
    fetch: (target, init) => fetch(target, withRevision(init, era)),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    progress,
    completed,
    send: (message) => transport.send(message),
    close: () => client.close(),
    endSession: async () => {
      await transport.terminateSession();
      await client.close();
    },
    async call(args, { signal } = {}) {
      const result = await client.callTool({ name: "ask_agent", arguments: { ...args } }, undefined, {
        timeout: TIMEOUT,
        onprogress: ({ message }) => void progress.push(message ?? ""),
        ...(signal !== undefined && { signal }),
      });
      return calledOf(result as { content: unknown });
    },
  };
}

function withRevision(init: RequestInit | undefined, era: Era): RequestInit {
  if (typeof init?.body !== "string" || !init.body.includes('"initialize"')) return init ?? {};
  return { ...init, body: init.body.replace(LATEST_PROTOCOL_VERSION, era) };
}

export function calledOf(result: {
  content?: unknown;
  isError?: unknown;
  structuredContent?: unknown;
}): Called {
  const blocks = Array.isArray(result.content) ? result.content : [];
  const text = blocks.map((block: { text?: string }) => block.text ?? "").join("");
  const structured = (result.structuredContent ?? {}) as Readonly<Record<string, unknown>>;
  return { text, isError: result.isError === true, structured };
}
