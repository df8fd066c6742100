import type { ToolSet } from "ai";
import { KitError } from "../contract/kit-error.ts";
import { type ToolNames, prefixOf } from "./mcp/tool-names.ts";
import type { McpServers } from "./mcp/turn-servers.ts";
import type { ToolApproval } from "./tool-approval.ts";

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
    /** All tools of the turn. */
    readonly tools: ToolSet;
    readonly toolNames: ToolNames;
  }): TurnApprovalKeys;
}

/** {@link ApprovalKeys} in a turn. A key is reported once in the life of a process. */
export interface TurnApprovalKeys {
  /** Reports the keys of a server that has listed its tools. */
  reportMissing(server: { readonly name: string; readonly service: string }): void;
  /** Reports the keys that are nearly the name of a tool, and belong to no server of the turn. */
  reportTypos(): void;
  /**
   * Whether a tool of a server asks because a key of this server names none of its tools: the key may have meant it.
   */
  mayMean(server: { readonly name: string }, tool: string): boolean;
}

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
  const unreported = (keys: readonly string[]) =>
    reported.size < MAX_REPORTED ? keys.filter((key) => !reported.has(key)) : [];

  function report(key: string, why: string): void {
    reported.add(key);
    onError(new KitError(`elicit-kit: ${keyNames(key)} ${why}`));
  }

  return {
    ensurePossible(toolApproval) {
      // Only a turn knows the servers of its user.
      if (typeof mcpServers === "function") return;
      const prefixes = mcpServers.map(({ name }) => prefixOf(name));
      for (const key of keysOf(toolApproval)) {
        if (names.includes(key)) continue;
        if (prefixes.includes(key)) {
          throw new KitError(
            `elicit-kit: ${keyNames(key)} an MCP server, so it would ask nothing. Name the tools of the server ("${key}_…"), or set its \`askFirst\`.`,
          );
        }
        if (prefixes.some((prefix) => key.startsWith(`${prefix}_`.slice(0, MAX_PREFIX_LENGTH)))) continue;
        throw new KitError(
          `elicit-kit: ${keyNames(key)} no tool of this agent, so it would ask nothing.${didYouMean(key, names)} Use a key of \`tools\`, the name of an A2A agent, or NAME_TOOL for a tool of the MCP server NAME.`,
        );
      }
    },
    inTurn({ toolApproval, tools, toolNames }) {
      const missing = () =>
        keysOf(toolApproval).filter((key) => !Object.hasOwn(tools, key) && !names.includes(key));
      const missingAt = (server: string) =>
        missing().filter((key) => toolNames.ownerOf(key) === prefixOf(server));
      return {
        reportMissing({ name, service }) {
          for (const key of unreported(missingAt(name))) {
            report(
              key,
              `no tool that ${service} lists.${didYouMean(key, Object.keys(tools))} Until the key is right, the tools of this server that may change something ask first.`,
            );
          }
        },
        reportTypos() {
          for (const key of unreported(missing())) {
            const hint = toolNames.ownerOf(key) === undefined ? didYouMean(key, Object.keys(tools)) : "";
            if (hint !== "") report(key, `no tool of this turn, so it asks nothing.${hint}`);
          }
        },
        mayMean: ({ name }, tool) => !keysOf(toolApproval).includes(tool) && missingAt(name).length > 0,
      };
    },
  };
}

const keyNames = (key: string) => `\`toolApproval\` has the key ${JSON.stringify(key)}, which names`;

function keysOf(toolApproval: ToolApproval | undefined): readonly string[] {
  if (toolApproval === undefined || typeof toolApproval === "function") return [];
  return Object.entries(toolApproval).flatMap(([key, status]) => (status === undefined ? [] : key));
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
