import { type Credential, type CredentialStore, isSameCredential } from "../../runtime/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { type NangoClient, type NangoProvider, NangoFailure, createNangoClient } from "./nango.ts";
import type { Provider } from "../page/page-request.ts";
import { KitError } from "../../contract/kit-error.ts";

/**
 * A credential store that reads the credentials of Nango's tools from Nango, which also refreshes them. All others are in
 * `store`. Only connections that the hosted page has confirmed for this person and tool are used.
 */
export function withNango(
  store: CredentialStore,
  options: {
    /** The same as for the hosted page. Credentials of tools without a Nango provider here are in `store`. */
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
    // Credentials that are not at Nango are refreshed under the lock of their store.
    ...(store.exclusively !== undefined && { exclusively: store.exclusively.bind(store) }),
    async get(toolId, userId) {
      const client = clients.get(toolId);
      return client === undefined ? store.get(toolId, userId) : read(client, toolId, userId, false);
    },
    async set(toolId, userId, credential) {
      if (!clients.has(toolId)) return store.set(toolId, userId, credential);
      throw cannotStore(toolId);
    },
    async delete(toolId, userId) {
      const client = clients.get(toolId);
      if (client === undefined) return store.delete(toolId, userId);
      for (const { id, userId: owner, confirmedFor } of await client.listByUser(userId)) {
        if (owner === userId && confirmedFor === toolId) await client.remove(id);
      }
    },
    async replace(toolId, userId, old, next) {
      const client = clients.get(toolId);
      if (client === undefined) return store.replace(toolId, userId, old, next);
      if (next !== undefined) throw cannotStore(toolId);
      const connection = await current(client, toolId, userId, false);
      if (connection === undefined || !isSameCredential(connection.credential, old)) return false;
      // By id, so that a connection that is made meanwhile stays.
      await client.remove(connection.id);
      return true;
    },
    async renew(toolId, userId, refused) {
      const client = clients.get(toolId);
      if (client === undefined) return store.renew?.(toolId, userId, refused);
      const known = await read(client, toolId, userId, false);
      if (known?.accessToken !== refused.accessToken) return known;
      const newer = await read(client, toolId, userId, true);
      return newer?.accessToken === refused.accessToken ? undefined : newer;
    },
  };
}

function cannotStore(toolId: string): Error {
  return new KitError(
    `elicit-kit: the credentials of "${toolId}" are stored at Nango, so they cannot be set here. Connect the account on the hosted page.`,
  );
}

async function read(...args: Parameters<typeof current>): Promise<Credential | undefined> {
  return (await current(...args))?.credential;
}

/** The confirmed connection and its credential. */
async function current(
  client: NangoClient,
  toolId: string,
  userId: string,
  forceRefresh: boolean,
): Promise<{ id: string; credential: Credential } | undefined> {
  for (const connection of await client.listByUser(userId)) {
    if (connection.userId !== userId || connection.confirmedFor !== toolId) continue;
    try {
      const credential = await client.credential(connection.id, { forceRefresh });
      return credential && { id: connection.id, credential };
    } catch (error) {
      // Nango cannot refresh it any more, so the person has to connect again.
      if (!(error instanceof NangoFailure && error.code === "invalid_credentials")) throw error;
    }
  }
  return undefined;
}
