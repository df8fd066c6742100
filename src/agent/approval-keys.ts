import { KitError } from "../contract/kit-error.ts";
import type { AgentMcpServer } from "./mcp/mcp-server.ts";
import type { ListedTool } from "./mcp/tool-budget.ts";
import { type ToolNames, baseOf, mayBeNameOf, prefixOf } from "./mcp/tool-names.ts";
import type { McpServers } from "./mcp/turn-servers.ts";
import { type ToolApproval, statusOf } from "./tool-approval.ts";

/** How many names a report suggests. */
const MAX_NEAREST = 3;
/** The settings of a turn may have keys of its user, and a process has many users. */
const MAX_REPORTED = 1000;
/** A long name of a server is cut in the names of its tools. */
const MAX_PREFIX_LENGTH = 60;

/**
 * The keys of `toolApproval` that name no tool. Such a key asks nothing, so a tool could run without the approval that its
 * author has meant for it.
 */
export interface ApprovalKeys {
  /** Throws for a key that cannot become the name of a tool, in no turn. */
  ensurePossible(toolApproval: ToolApproval | undefined): void;
  inTurn(turn: {
    readonly toolApproval: ToolApproval | undefined;
    readonly toolNames: ToolNames;
  }): MarkDoubted;
}

/**
 * Marks the tools of a server that must ask, because a key of this server names none that it lists: the key may have meant
 * them. Reports that key once.
 *
 * @param given the listed tools that the model gets
 */
export type MarkDoubted = (
  server: AgentMcpServer,
  listed: readonly { readonly name: string }[],
  given: readonly ListedTool[],
) => readonly ListedTool[];

export function createApprovalKeys(
  known: {
    readonly tools?: Readonly<Record<string, unknown>> | undefined;
    readonly a2aAgents?: readonly { readonly name: string }[] | undefined;
    readonly mcpServers?: McpServers | undefined;
  },
  onError: (error: unknown) => void,
): ApprovalKeys {
  const { mcpServers = [] } = known;
  const names = [...Object.keys(known.tools ?? {}), ...(known.a2aAgents ?? []).map(({ name }) => name)];
  const reported = new Set<string>();

  return {
    ensurePossible(toolApproval) {
      // Only a turn knows the servers of its user.
      if (typeof mcpServers === "function") return;
      const prefixes = mcpServers.map(({ name }) => prefixOf(name));
      for (const key of askingKeys(toolApproval)) {
        if (names.includes(key)) continue;
        if (prefixes.includes(prefixOf(key))) {
          throw new KitError(
            `elicit-kit: ${keyNames(key)} an MCP server, so it would ask nothing. Name the tools of the server (${toolsAt(prefixOf(key))}), or set its \`askFirst\`.`,
          );
        }
        if (prefixes.some((prefix) => key.startsWith(`${prefix}_`.slice(0, MAX_PREFIX_LENGTH)))) continue;
        const possible = ["a key of `tools`", "the name of an A2A agent", ...prefixes.map(toolsAt)];
        throw new KitError(
          `elicit-kit: ${keyNames(key)} no tool of this agent, so it would ask nothing.${didYouMean(key, names)} Use ${new Intl.ListFormat("en", { type: "disjunction" }).format(possible)}.`,
        );
      }
    },
    inTurn:
      ({ toolApproval, toolNames }) =>
      ({ name: server, service }, listed, given) => {
        const others = [...names, ...listed.map(({ name }) => baseOf(server, name))];
        const mayName = (key: string, tool: string) => mayBeNameOf(key, { server, tool, known: others });
        const missing = askingKeys(toolApproval).filter(
          (key) =>
            !names.includes(key) &&
            toolNames.ownerOf(key) === prefixOf(server) &&
            !listed.some(({ name }) => mayName(key, name)),
        );
        for (const key of missing) {
          if (reported.has(key) || reported.size >= MAX_REPORTED) continue;
          reported.add(key);
          const near = didYouMean(
            key,
            given.map(({ name }) => baseOf(server, name)),
          );
          onError(
            new KitError(
              `elicit-kit: ${keyNames(key)} no tool that ${service} lists.${near} Until the key is right, the tools of this server that may change something ask first.`,
            ),
          );
        }
        if (missing.length === 0) return given;
        const keys = Object.keys(toolApproval ?? {});
        const isNamed = (tool: string) => keys.some((key) => mayName(key, tool));
        return given.map((tool) => (isNamed(tool.name) ? tool : { ...tool, isDoubted: true }));
      },
  };
}

const keyNames = (key: string) => `\`toolApproval\` has the key ${JSON.stringify(key)}, which names`;
const toolsAt = (prefix: string) => `"${prefix}_…"`;

/** The keys that may ask or deny. */
function askingKeys(toolApproval: ToolApproval | undefined): readonly string[] {
  if (toolApproval === undefined || typeof toolApproval === "function") return [];
  return Object.entries(toolApproval).flatMap(([key, status]) =>
    ["approved", "not-applicable"].includes(statusOf(status).type) ? [] : key,
  );
}

/** The names that a key was most likely meant to be. */
function didYouMean(key: string, names: readonly string[]): string {
  const most = Math.max(2, key.length / 4);
  const near = names
    .filter((name) => Math.abs(name.length - key.length) <= most)
    .map((name) => ({ name, distance: distanceOf(key, name) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MAX_NEAREST);
  return near.length === 0 ? "" : ` Did you mean ${near.map(({ name }) => `"${name}"`).join(" or ")}?`;
}

/** How many letters must be added, left out or replaced to make one text the other. */
function distanceOf(one: string, other: string): number {
  const letters = [...other];
  let last = [0, ...letters.map((_, index) => index + 1)];
  for (const [row, letter] of [...one].entries()) {
    const next = [row + 1];
    for (const [column, theirs] of letters.entries()) {
      next.push(
        Math.min(
          (last[column] ?? 0) + (letter === theirs ? 0 : 1),
          (last[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      );
    }
    last = next;
  }
  return last[letters.length] ?? 0;
}
