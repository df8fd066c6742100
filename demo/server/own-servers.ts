import { inspectMcpServer, type McpServer } from "elicit-kit/runtime/agent";

/** An MCP server that a person has added. Plain data, kept as JSON. */
export interface OwnServer extends Pick<McpServer, "name" | "url" | "service"> {
  readonly credentialScope: "user";
  /** What the server says of itself. */
  readonly claimedName?: string | undefined;
  readonly iconDataUrl?: string | undefined;
}

/** Why a server was not added. */
export type AddingFault = "url" | "unreachable" | "known" | "full";

/** The MCP servers of each person. */
export interface OwnServers {
  list: (userId: string) => readonly OwnServer[];
  add: (userId: string, url: string) => Promise<AddingFault | undefined>;
  remove: (userId: string, name: string) => Promise<void>;
  /** For the agent. */
  entriesOf: (userId: string) => readonly McpServer[];
}

/** Every message waits until each server has listed its tools. */
const MAX_SERVERS = 10;

export type ServersByPerson = Readonly<Record<string, readonly OwnServer[]>>;

export function createOwnServers({
  known,
  keep,
  inspectionFetch,
  callFetch,
  onError,
}: {
  known: ServersByPerson;
  keep: (servers: ServersByPerson) => Promise<void>;
  /** To inspect a URL that somebody typed, and to call its tools. Both are guarded, with different limits. */
  inspectionFetch: typeof globalThis.fetch;
  callFetch: typeof globalThis.fetch;
  onError: (error: unknown) => void;
}): OwnServers {
  const byPerson = new Map(Object.entries(known));
  const list = (userId: string): readonly OwnServer[] => byPerson.get(userId) ?? [];

  async function change(userId: string, servers: readonly OwnServer[]): Promise<void> {
    byPerson.set(userId, servers);
    await keep(Object.fromEntries(byPerson));
  }

  return {
    list,
    async add(userId, url) {
      if (list(userId).length >= MAX_SERVERS) return "full";
      const found = await inspectMcpServer(url, { fetch: inspectionFetch });
      if (!found.ok) {
        onError(new Error(`elicit-kit: the MCP server of a person was not added: ${found.fault}`));
        return found.reason;
      }
      const { server, claims } = found;
      // Other servers may have been added during the inspection.
      const now = list(userId);
      if (now.some(({ name }) => name === server.name)) return "known";
      if (now.length >= MAX_SERVERS) return "full";
      await change(userId, [
        ...now,
        { ...server, claimedName: claims.name, iconDataUrl: claims.iconDataUrl },
      ]);
      return undefined;
    },
    remove: (userId, name) =>
      change(
        userId,
        list(userId).filter((server) => server.name !== name),
      ),
    // Without the icon: the server chose it, and on a card it would look like a recommendation.
    entriesOf: (userId) =>
      list(userId).map(({ name, url, service, credentialScope }) => ({
        name,
        url,
        service,
        credentialScope,
        fetch: callFetch,
      })),
  };
}
