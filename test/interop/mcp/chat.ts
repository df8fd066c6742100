import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import type { McpServer } from "../../../src/agent/index.ts";
import type { McpStdioServer } from "../../../src/agent/mcp/mcp-server.ts";
import type { Credential } from "../../../src/connect/ports/credentials.ts";
import type { Step } from "../../stages/scripted-model.ts";
import { type RelayedChat, createRelayedChat } from "../relayed-chat.ts";

/** A chat whose agent calls tools of one MCP server, `srv`, on a clock that only the test advances. */
export function chatWith(
  at: string | Omit<McpStdioServer, "name" | "service">,
  steps: readonly Step[],
  options: Partial<Omit<McpServer, "url">> & { credential?: Credential } = {},
): RelayedChat {
  const { credential, ...http } = options;
  const named = { name: "srv", service: "Survey" };
  const server =
    typeof at === "string"
      ? { ...named, url: at, credentialScope: "none" as const, ...http }
      : { ...named, ...at };
  const clock = createManualClock();
  const chat = createRelayedChat({
    mcpServers: [server],
    steps,
    credential: { server: "srv", value: credential },
    clock,
  });
  return { ...chat, runtime: { ...chat.runtime, clock } };
}

/** Advances the clock until the promise is settled, because polls wait for it. */
export async function passing<T>({ runtime }: RelayedChat, promise: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const result = promise.finally(() => settled.abort());
  while (!settled.signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    runtime.clock.advance(200);
  }
  return result;
}
