import { setTimeout as wait } from "node:timers/promises";
import {
  type AgentContext,
  type AnyMessage,
  type ClientApp,
  type ClientContext,
  type SessionUpdate,
  agent,
  client,
} from "@agentclientprotocol/sdk";
import { type AcpChannel, createAcpChannel } from "elicit-kit/acp";
import type { AcpChannelOptions } from "../../../extras/acp/page/channel.ts";
import { type PageClient, createPageClient } from "../../stages/page-client.ts";

/** A page: the channel and the client of the kit with a client of the SDK. */
export interface Page extends PageClient {
  app: ClientApp;
  channel: AcpChannel;
  updates: SessionUpdate[];
}

export function createPage(options: Partial<AcpChannelOptions> = {}): Page {
  const updates: SessionUpdate[] = [];
  const app = client({ name: "page" }).onNotification("session/update", ({ params }) => {
    updates.push(params.update);
  });
  const channel = createAcpChannel({ app, agentName: "Coder", ...options });
  return { app, channel, updates, ...createPageClient(channel) };
}

/** The actions of an SDK agent in its only prompt. */
export type Script = (client: AgentContext, context: { signal: AbortSignal }) => Promise<unknown>;

/** Connects a page in process to an agent of the SDK that runs `script` in its prompt. Returns the script's result. */
export async function prompt(page: Page, script: Script): Promise<unknown> {
  let result: unknown;
  const app = agent({ name: "coder" })
    .onRequest("initialize", () => ({ protocolVersion: 1, agentCapabilities: {} }))
    .onRequest("session/new", () => ({ sessionId: "s1" }))
    .onRequest("session/prompt", async ({ client: asked, signal }) => {
      result = await script(asked, { signal });
      return { stopReason: "end_turn" };
    });
  await page.app.connectWith(app, async (cx) => {
    await begin(cx, page.channel.capabilities);
    await cx.request("session/prompt", { sessionId: "s1", prompt: [{ type: "text", text: "Go" }] });
  });
  return result;
}

/** Initializes a connection and opens a session. */
export async function begin(cx: ClientContext, capabilities: object): Promise<string> {
  await cx.request("initialize", { protocolVersion: 1, clientCapabilities: { ...capabilities } });
  const { sessionId } = await cx.request("session/new", { cwd: "/home/ada", mcpServers: [] });
  return sessionId;
}

/** The code and the reason of the JSON-RPC error that `call` rejects with, or its result. */
export async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    const { code, data } = error as { code: number; data?: { reason?: string } };
    return { code, ...(data?.reason !== undefined && { reason: data.reason }) };
  }
}

/** Sends raw messages without the checks of the SDK, and returns the answer to each request by its id. */
export function rawPeer(answer: (method: string, params: unknown) => unknown = () => undefined): {
  stream: { readable: ReadableStream<AnyMessage>; writable: WritableStream<AnyMessage> };
  call(id: number | string, method: string, params: unknown): Promise<Readonly<Record<string, unknown>>>;
  notify(method: string, params: unknown): Promise<void>;
} {
  const toPeer = new TransformStream<AnyMessage, AnyMessage>();
  const fromPeer = new TransformStream<AnyMessage, AnyMessage>();
  const writer = toPeer.writable.getWriter();
  const answers = new Map<unknown, Readonly<Record<string, unknown>>>();
  void (async () => {
    for await (const message of fromPeer.readable) {
      if (!("id" in message)) continue;
      if (!("method" in message)) answers.set(message.id, { ...message });
      else {
        const result = answer(message.method, message.params);
        if (result !== undefined) await writer.write({ jsonrpc: "2.0", id: message.id, result });
      }
    }
  })();
  return {
    stream: { readable: toPeer.readable, writable: fromPeer.writable },
    async call(id, method, params) {
      await writer.write({ jsonrpc: "2.0", id, method, params });
      while (!answers.has(id)) await wait(1);
      return answers.get(id)!;
    },
    notify: (method, params) => writer.write({ jsonrpc: "2.0", method, params }),
  };
}

export const FORM = {
  sessionId: "s1",
  mode: "form",
  message: "Where to?",
  requestedSchema: {
    type: "object",
    properties: { city: { type: "string", title: "City", minLength: 2 } },
    required: ["city"],
  },
} as const;

export const PAGE = {
  sessionId: "s1",
  mode: "url",
  message: "Connect your account.",
  elicitationId: "gh-1",
  url: "https://auth.example.com/connect?id=gh-1",
} as const;
