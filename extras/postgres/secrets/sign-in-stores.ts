import type { Transaction, Transactions } from "../../../src/connect/ports/transactions.ts";
import type {
  ClientRegistrations,
  OAuthClientInfo,
} from "../../../src/connect/ports/client-registrations.ts";
import type { Database } from "../database/database.ts";
import { type Secret, type SecretKeys, createSecrets } from "./secrets.ts";
import type { DraftStore } from "../../../src/runtime/internal.ts";

/** Keeps dynamically registered clients for all processes, with their secrets encrypted. */
export function createPostgresRegistrations(
  database: Database,
  keys: SecretKeys | undefined,
): ClientRegistrations {
  const secrets = createSecrets(database, "client", keys);
  return {
    async get(id) {
      return clientOf(await secrets.get(id));
    },
    async add(id, client) {
      for (;;) {
        if (await secrets.add(id, JSON.stringify(client))) return client;
        const known = clientOf(await secrets.get(id));
        if (known !== undefined) return known;
      }
    },
    async remove(id, clientId) {
      const stored = await secrets.get(id);
      // If the stored client changes in between, it is another client.
      if (stored !== undefined && clientOf(stored)?.clientId === clientId) {
        await secrets.replace(id, stored, undefined);
      }
    },
  };
}

/** Keeps the unfinished sign-ins of the hosted page, so that any process can handle the return of the user. */
export function createPostgresTransactions(database: Database, keys: SecretKeys | undefined): Transactions {
  const secrets = createSecrets(database, "sign-in", keys);
  return {
    async put(state, transaction) {
      await secrets.add(state, JSON.stringify(transaction), transaction.expiresAt);
    },
    async take(state) {
      const taken = await secrets.take(state);
      if (taken === undefined) return undefined;
      const transaction: Transaction = JSON.parse(taken.text);
      return transaction;
    },
  };
}

function clientOf(secret: Secret | undefined): OAuthClientInfo | undefined {
  if (secret === undefined) return undefined;
  const client: OAuthClientInfo = JSON.parse(secret.text);
  return client;
}

/** Keeps unsent user input for all processes, encrypted like credentials. */
export function createPostgresDrafts(database: Database, keys: SecretKeys | undefined): DraftStore {
  const secrets = createSecrets(database, "draft", keys);
  return {
    // Encoded as JSON, because UTF-8 cannot represent lone surrogates.
    set: (elicitationId, draft, expiresAt) => secrets.set(elicitationId, JSON.stringify(draft), expiresAt),
    async get(elicitationId) {
      const stored = await secrets.get(elicitationId);
      if (stored === undefined) return undefined;
      const draft: string = JSON.parse(stored.text);
      return draft;
    },
    delete: (elicitationId) => secrets.delete(elicitationId),
  };
}
