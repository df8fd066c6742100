import type { DraftStore } from "../../../runtime/internal.ts";
import type { Database } from "../database/database.ts";
import { type SecretKeys, createSecrets } from "./secrets.ts";

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
