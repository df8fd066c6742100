import type { CallToolResult, ProtocolEra } from "@modelcontextprotocol/client";
import type { AgentMcpServer, CallRevision } from "./mcp-server.ts";

/** How to make one attempt of a call. */
export interface AttemptOptions {
  /** `undefined`: the newest that both sides support. */
  readonly revision: CallRevision | undefined;
  /** Whether to give up before the call on a connection on which the server could not ask. */
  readonly onlyIfAskable: boolean;
}

/** What came of an attempt. */
export interface Attempted {
  readonly outcome: PromiseSettledResult<CallToolResult>;
  /** `undefined`: there was no connection, so the tool has not begun. */
  readonly era: ProtocolEra | undefined;
  /** Whether the server asked something during the attempt. */
  readonly hasAsked: boolean;
}

/** The revisions in which the tools of an agent's servers can ask, as learned from their calls. */
export interface McpRevisions {
  /**
   * Calls a tool. Many servers speak MCP 2026-07-28 while their tools ask as before 2026, or the reverse. A tool that
   * says so has ended at its first question. It then begins again, once, in the other revision, and the server is called
   * in that revision from then on.
   */
  call(
    server: AgentMcpServer,
    { tool, mayAsk }: { tool: string; mayAsk: boolean },
    attempt: (options: AttemptOptions) => Promise<Attempted>,
  ): Promise<CallToolResult>;
}

/** The limit of memory, because users choose the servers. */
const MAX_KEPT = 1000;
const MAX_TEXT_LENGTH = 2000;

export function createMcpRevisions(): McpRevisions {
  const known = new Map<string, CallRevision>();

  function remember(key: string, revision: CallRevision): void {
    known.delete(key);
    known.set(key, revision);
    const [oldest] = known.keys();
    if (known.size > MAX_KEPT && oldest !== undefined) known.delete(oldest);
  }

  return {
    async call(server, { tool, mayAsk }, attempt) {
      const run = (revision: CallRevision | undefined, onlyIfAskable = false) =>
        attempt({ revision, onlyIfAskable });
      if (server.revision !== undefined || !mayAsk) return ended(await run(server.revision));
      const ofServer = keyOf(server);
      const ofTool = keyOf(server, tool);
      const learned = known.get(ofTool) ?? known.get(ofServer);

      // "2026-07-28" was learned: the newest, without another attempt.
      const first = await run(learned === "2025-11-25" ? learned : undefined);
      if (learned === "2025-11-25" && first.era === undefined && first.outcome.status === "rejected") {
        // The server may have stopped to speak the older revision. The tool has not begun.
        known.delete(ofTool);
        known.delete(ofServer);
        return ended(await run(undefined));
      }
      if (first.hasAsked) return ended(first);
      if (learned === undefined && first.era === "modern" && saysCannotAsk(first)) {
        const second = await run("2025-11-25", true);
        const hasHelped = second.era !== undefined && !saysCannotAsk(second);
        remember(ofServer, hasHelped ? "2025-11-25" : "2026-07-28");
        return ended(second.era === undefined ? first : second);
      }
      if (learned === "2025-11-25" && first.era === "legacy" && saysNeedsNewest(first)) {
        remember(ofTool, "2026-07-28");
        return ended(await run(undefined));
      }
      return ended(first);
    },
  };
}

function keyOf({ name, url, command }: AgentMcpServer, tool?: string): string {
  return JSON.stringify([name, url ?? command, tool]);
}

function ended({ outcome }: Attempted): CallToolResult {
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

/**
 * The words of the SDKs for a question that cannot be sent on a connection of 2026: "elicitation via server-initiated
 * requests is unavailable on 2026-07-28 connections", "this transport context has no back-channel", "Server-to-client
 * requests are not available on protocol revision 2026-07-28". No SDK sends a code that only means this.
 */
function saysCannotAsk(attempted: Attempted): boolean {
  const text = failureIn(attempted);
  return (
    /elicit|server[- ]initiated|server[- ]to[- ]client|back[- ]?channel/i.test(text) &&
    /unavailable|unsupported|no back|cannot|can't|(?:not|n't|never) (?:be )?(?:available|supported|support|possible|allowed|implemented|sent)|removed|stateless/i.test(
      text,
    )
  );
}

/** The words for a tool whose questions exist only since 2026, on an older connection. */
function saysNeedsNewest(attempted: Attempted): boolean {
  return /2026-07-28|SEP-2322|input[_ -]?required|multi[- ]round/i.test(failureIn(attempted));
}

/** The text of a failed call. Empty for a tool that has not failed, whatever it says. */
function failureIn({ outcome }: Attempted): string {
  if (outcome.status === "rejected") return textOf(outcome.reason);
  const { isError, content } = outcome.value;
  if (isError !== true) return "";
  return content
    .map((item) => (item.type === "text" ? item.text : ""))
    .join("\n")
    .slice(0, MAX_TEXT_LENGTH);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, MAX_TEXT_LENGTH) : "";
}
