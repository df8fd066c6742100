import { siblingsOf } from "../../connect/ports/credentials.ts";
import type { Turn, User } from "../../runtime/index.ts";
import type { AgentMcpServer } from "./mcp-server.ts";
import { prefixOf } from "./tool-names.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The MCP servers of an agent: one list for all users, or a list for each user. */
export type McpServers =
  | readonly AgentMcpServer[]
  | ((user: User | undefined) => readonly AgentMcpServer[] | Promise<readonly AgentMcpServer[]>);

/** A server of a turn. `server` is absent if the user has removed it since the turn began. */
export interface TurnServer {
  readonly name: string;
  readonly server: AgentMcpServer | undefined;
}

/** Each server is asked for its tools before the model starts. */
const MAX_SERVERS_OF_PERSON = 30;

/**
 * Finds the servers of a turn. A turn that runs again gets the same ones, in the same order.
 *
 * @param taken names that a user's own server must not have, because it would get credentials that belong to another
 * server
 */
export async function findTurnServers(
  turn: Turn,
  servers: McpServers,
  onError: (error: unknown) => void,
  taken: ReadonlySet<string> = new Set(),
): Promise<readonly TurnServer[]> {
  if (typeof servers !== "function") {
    return withoutNamesakes(servers, onError).map((server) => ({ name: server.name, server }));
  }
  const all = await serversOf(turn.user, servers, onError);
  const found = all.filter(({ name }) => !taken.has(name));
  if (found.length < all.length) {
    onError(
      new KitError(
        "elicit-kit: an MCP server of a user has the name of an A2A agent or an account, so it is not used. Give it another name: credentials are stored under it.",
      ),
    );
  }
  // Only names are recorded, because a server may have functions.
  const names = await turn.runner.step("mcp servers", async () => found.map(({ name }) => name));
  return names.map((name) => ({ name, server: found.find((server) => server.name === name) }));
}

async function serversOf(
  user: User | undefined,
  servers: Extract<McpServers, (...args: never[]) => unknown>,
  onError: (error: unknown) => void,
): Promise<readonly AgentMcpServer[]> {
  try {
    const found = withoutNamesakes(await servers(user), onError);
    if (found.length > MAX_SERVERS_OF_PERSON) {
      onError(
        new KitError(
          `elicit-kit: a person has ${found.length} MCP servers. Only the first ${MAX_SERVERS_OF_PERSON} are used; limit how many a person may add.`,
        ),
      );
    }
    return found.slice(0, MAX_SERVERS_OF_PERSON);
  } catch (error) {
    // The turn runs without these servers, as it does without a server that is down.
    onError(error);
    return [];
  }
}

/**
 * Credentials are stored under the name of a server, so a second server with the same name would get those of the first.
 * The tools of "a.b" and "a_b" would have the same names for the model.
 */
function withoutNamesakes(
  servers: readonly AgentMcpServer[],
  onError: (error: unknown) => void,
): readonly AgentMcpServer[] {
  const byPrefix = new Map<string, AgentMcpServer>();
  const ofAccounts = new Map(servers.flatMap(furtherAccounts));
  for (const server of servers) {
    const prefix = prefixOf(server.name);
    const first = byPrefix.get(prefix) ?? ofAccounts.get(server.name);
    if (first === undefined) byPrefix.set(prefix, server);
    else onError(new KitError(`elicit-kit: ${namesakes(first.name, server.name)}`));
  }
  return [...byPrefix.values()];
}

/** The names under which the further accounts of a server are stored. */
function furtherAccounts(server: AgentMcpServer): [string, AgentMcpServer][] {
  if (server.credentialScope !== "user" || server.several !== true) return [];
  return siblingsOf(server.name).map((name) => [name, server]);
}

const namesakes = (first: string, second: string) =>
  first === second
    ? `two MCP servers are named "${first}", so the second one is not used. Give each a name of its own: credentials are stored under it.`
    : `the MCP servers "${first}" and "${second}" would have tools of the same names, so the second one is not used. Use letters, digits, _ and - in their names.`;
