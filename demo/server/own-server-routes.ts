import type { Credential, CredentialStore } from "elicit-kit/connect";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type Accounts, onlyJson } from "./accounts.ts";
import type { OwnServer, OwnServers } from "./own-servers.ts";

export interface OwnServerRoutes {
  accounts: Accounts;
  ownServers: OwnServers;
  credentials: Pick<CredentialStore, "get" | "delete">;
  /** Revokes a token at the authorization server that issued it. */
  revoke: (credential: Credential) => Promise<void>;
  onError: (error: unknown) => void;
}

/** A user's server in the form in which the page shows it. */
export interface ShownServer extends Pick<OwnServer, "name" | "url" | "claimedName" | "iconDataUrl"> {
  host: string;
  isConnected: boolean;
}

/** Lists, adds, disconnects and removes the MCP servers of the signed-in user. */
export function createOwnServerRoutes({
  accounts,
  ownServers,
  credentials,
  revoke,
  onError,
}: OwnServerRoutes): {
  routes: Hono;
  show: (userId: string) => Promise<ShownServer[]>;
  disconnectAll: (userId: string) => Promise<void>;
} {
  const show = async (userId: string): Promise<ShownServer[]> =>
    Promise.all(
      (await ownServers.list(userId)).map(async ({ name, url, service, claimedName, iconDataUrl }) => ({
        name,
        url,
        host: service,
        claimedName,
        iconDataUrl,
        isConnected: (await credentials.get(name, userId).catch(() => undefined)) !== undefined,
      })),
    );

  async function disconnect(userId: string, name: string): Promise<void> {
    const credential = await credentials.get(name, userId).catch(() => undefined);
    await credentials.delete(name, userId);
    if (credential !== undefined) await revoke(credential).catch(onError);
  }

  async function disconnectAll(userId: string): Promise<void> {
    const servers = await ownServers.list(userId);
    await Promise.all(servers.map(({ name }) => disconnect(userId, name)));
  }

  const routes = new Hono()
    .use(onlyJson, bodyLimit({ maxSize: 4096 }))
    .post("/:act{add|disconnect|remove}", async (c) => {
      const identity = await accounts.authenticate(c.req.raw);
      if (identity === undefined) return c.json({}, 401);
      const { userId } = identity;
      const body: unknown = await c.req.json().catch(() => undefined);
      const value = textIn(body);
      if (value === undefined) return c.json({}, 400);
      const fault = await act(c.req.param("act"), userId, value);
      return c.json({ fault, servers: await show(userId) });
    });

  async function act(name: string, userId: string, value: string) {
    if (name === "add") return ownServers.add(userId, value);
    // Only servers of the user's own list: the others belong to the demo.
    const own = await ownServers.list(userId);
    if (!own.some((server) => server.name === value)) return undefined;
    await disconnect(userId, value);
    if (name === "remove") await ownServers.remove(userId, value);
    return undefined;
  }

  return { routes, show, disconnectAll };
}

/** The URL to add, or the name of a server. */
function textIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("server" in body)) return undefined;
  return typeof body.server === "string" ? body.server : undefined;
}
