import { type Clock, type Credential, type CredentialStore, systemClock } from "../core/index.ts";
import { type NangoClient, type NangoProvider, NangoFailure, createNangoClient } from "./nango.ts";
import type { Provider } from "./subject.ts";

/**
 * A credential store whose Nango connections are read from Nango, and refreshed there; all others are in `store`. Only
 * connections that the hosted page has confirmed count: of this person, for this tool.
 */
export function withNango(
  store: CredentialStore,
  options: {
    /** As for the hosted page; those that are not Nango's are passed on to `store`. */
    providers: Readonly<Record<string, Provider>>;
    clock?: Clock | undefined;
    fetch?: typeof globalThis.fetch | undefined;
  },
): CredentialStore {
  const { clock = systemClock, fetch } = options;
  const clients = new Map(
    Object.entries(options.providers)
      .filter((entry): entry is [string, NangoProvider] => "nango" in entry[1])
      .map(([toolId, provider]) => [toolId, createNangoClient(provider, { clock, fetch })]),
  );

  return {
    async get(toolId, userId) {
      const client = clients.get(toolId);
      return client === undefined ? store.get(toolId, userId) : read(client, toolId, userId, false);
    },
    async set(toolId, userId, credential) {
      if (!clients.has(toolId)) return store.set(toolId, userId, credential);
      throw new Error(
        `elicit-kit: the credentials of "${toolId}" are Nango's, and only its hosted page makes them.`,
      );
    },
    async delete(toolId, userId) {
      const client = clients.get(toolId);
      if (client === undefined) return store.delete(toolId, userId);
      for (const { id, userId: owner, confirmedFor } of await client.listByUser(userId)) {
        if (owner === userId && confirmedFor === toolId) await client.remove(id);
      }
    },
    async renew(toolId, userId, refused) {
      const client = clients.get(toolId);
      if (client === undefined) return store.renew?.(toolId, userId, refused);
      const current = await read(client, toolId, userId, false);
      if (current?.accessToken !== refused.accessToken) return current;
      const newer = await read(client, toolId, userId, true);
      return newer?.accessToken === refused.accessToken ? undefined : newer;
    },
  };
}

async function read(
  client: NangoClient,
  toolId: string,
  userId: string,
  forceRefresh: boolean,
): Promise<Credential | undefined> {
  for (const connection of await client.listByUser(userId)) {
    if (connection.userId !== userId || connection.confirmedFor !== toolId) continue;
    try {
      return await client.credential(connection.id, { forceRefresh });
    } catch (error) {
      // What Nango cannot refresh any more is as good as not connected.
      if (!(error instanceof NangoFailure && error.code === "invalid_credentials")) throw error;
    }
  }
  return undefined;
}
