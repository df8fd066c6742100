import type { ToolSet } from "ai";

/** Longest tool name that every model provider accepts. */
const MAX_NAME_LENGTH = 64;
const MAX_PREFIXES = 9;
/** Larger than the number of tools that the model gets from a server. */
const MAX_NAMESAKES = 1000;

/** Chooses the names for the model of all tools from a turn's servers. */
export interface ToolNames {
  /**
   * Returns a free name for a tool of a server, or for the server's placeholder. A name with the prefix of another server
   * or agent is not free, even if that one has no such tool, because the model would assign the tool to it. `undefined`
   * if no name is left.
   */
  free(server: string, tool?: string): string | undefined;
  /** The prefix of the server or agent of the turn to which a name belongs. */
  ownerOf(name: string): string | undefined;
}

/** @param owners the names of all servers and agents of the turn */
export function createToolNames(tools: ToolSet, owners: readonly string[]): ToolNames {
  const prefixes = owners.map(prefixOf).toSorted((a, b) => b.length - a.length);

  const ownerOf = (name: string) =>
    prefixes.find((prefix) => name === prefix || name.startsWith(`${prefix}_`));

  function mayHave(server: string, name: string): boolean {
    const owner = ownerOf(name);
    return owner === undefined || owner === server;
  }

  /** `base`, or `base` with a number. */
  function unused(server: string, base: string): string | undefined {
    for (let count = 1; count <= MAX_NAMESAKES; count += 1) {
      const name = withSuffix(base, suffixOf(count));
      if (!Object.hasOwn(tools, name) && mayHave(server, name)) return name;
    }
    return undefined;
  }

  return {
    ownerOf,
    free(name, tool) {
      const server = prefixOf(name);
      if (tool === undefined) return unused(server, server);
      for (let count = 1; count <= MAX_PREFIXES; count += 1) {
        const base = baseOf(name, tool, count);
        if (mayHave(server, withSuffix(base, ""))) return unused(server, base);
      }
      return undefined;
    },
  };
}

/**
 * Whether a tool of a server may have a name for the model, in some turn.
 *
 * @param known the names of the agent's own tools, and of this server's before they get a number
 */
export function mayBeNameOf(
  name: string,
  { server, tool, known }: { server: string; tool: string; known: readonly string[] },
): boolean {
  const [suffix, number] = /_(\d+)$/.exec(name) ?? [""];
  // A number is for a name that is taken, without a number or with another one.
  const numbered = withSuffix(baseOf(server, tool), suffix);
  const highest = known.filter((other) =>
    [other, other.replace(/_\d+$/, "")].some((taken) => withSuffix(taken, suffix) === numbered),
  ).length;
  for (let count = 1; count <= MAX_PREFIXES; count += 1) {
    const base = baseOf(server, tool, count);
    if (name === withSuffix(base, "")) return true;
    if (name === withSuffix(base, suffix) && Number(number) <= highest) return true;
  }
  return false;
}

/** The name of a tool for the model, if no other has it. Each `count` has another prefix. */
export const baseOf = (server: string, tool: string, count = 1) =>
  `${prefixOf(server)}${suffixOf(count)}_${inToolName(tool)}`;

const withSuffix = (base: string, suffix: string) => base.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
const suffixOf = (count: number) => (count === 1 ? "" : `_${count}`);

/**
 * The name of a server at the beginning of its tools' names. It begins with a letter: some model providers refuse the
 * whole request if one tool name begins otherwise.
 */
export function prefixOf(server: string): string {
  const name = inToolName(server);
  return /^[a-zA-Z]/.test(name) ? name : `s_${name}`;
}

/** Replaces characters that some model provider does not accept in a tool name. */
const inToolName = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
