import { inspectMcpServer, type McpServer } from "elicit-kit/agent";
import type { Shelf } from "./shelf.ts";

/** An MCP server that a user has added. Plain data, kept as JSON. */
export interface OwnServer extends Pick<McpServer, "name" | "url" | "service"> {
  readonly credentialScope: "user";
  /** The name in the server's own description. */
  readonly claimedName?: string | undefined;
  readonly iconDataUrl?: string | undefined;
}

/** Why a server was not added. */
export type AddingFault = "url" | "unreachable" | "known" | "full";

/** The MCP servers of each user. */
export interface OwnServers {
  list: (userId: string) => Promise<readonly OwnServer[]>;
  add: (userId: string, url: string) => Promise<AddingFault | undefined>;
  remove: (userId: string, name: string) => Promise<void>;
  /** The entries for the agent. */
  entriesOf: (userId: string) => Promise<readonly McpServer[]>;
}

/** Every message waits until each server has listed its tools. */
const MAX_SERVERS = 10;

/** The id under which the servers of a user are stored. */
const SERVERS = "servers";

export function createOwnServers({
  kept,
  inspectionFetch,
  callFetch,
  onError,
}: {
  kept: Shelf<readonly OwnServer[]>;
  /** For inspecting a URL that a user has entered, and for calling its tools. Both are guarded, with different limits. */
  inspectionFetch: typeof globalThis.fetch;
  callFetch: typeof globalThis.fetch;
  onError: (error: unknown) => void;
}): OwnServers {
  const list = async (userId: string): Promise<readonly OwnServer[]> =>
    (await kept.get(userId, SERVERS)) ?? [];

  return {
    list,
    async add(userId, url) {
      if ((await list(userId)).length >= MAX_SERVERS) return "full";
      const found = await inspectMcpServer(url, { fetch: inspectionFetch });
      if (!found.ok) {
        onError(new Error(`elicit-kit: the MCP server of a user was not added: ${found.fault}`));
        return found.reason;
      }
      const { server, claims } = found;
      let fault: AddingFault | undefined;
      // Other servers may have been added during the inspection.
      await kept.change(userId, SERVERS, (now = []) => {
        if (now.some(({ name }) => name === server.name)) fault = "known";
        else if (now.length >= MAX_SERVERS) fault = "full";
        else return [...now, { ...server, claimedName: claims.name, iconDataUrl: claims.iconDataUrl }];
        return undefined;
      });
      return fault;
    },
    remove: (userId, name) =>
      kept.change(userId, SERVERS, (now = []) => now.filter((server) => server.name !== name)),
    // Without the icon: the server chose it, and on a card it would look like an endorsement.
    async entriesOf(userId) {
      return (await list(userId)).map(({ name, url, service, credentialScope }) => ({
        name,
        url,
        service,
        credentialScope,
        // A refused call names the scopes to ask for, so the user grants no more than the server needs.
        signIn: "on-demand",
        fetch: callFetch,
      }));
    },
  };
}
