import type { DraftStore } from "../../core/index.ts";
import type { Database } from "../database/database.ts";
import { createSecrets } from "./secrets.ts";

/** Keeps what people have typed and not sent for all processes, encrypted like credentials. */
export function createPostgresDrafts(database: Database, key: Uint8Array | undefined): DraftStore {
  const secrets = createSecrets(database, "draft", key);
  return {
    set: (elicitationId, draft, expiresAt) => secrets.set(elicitationId, draft, expiresAt),
    get: async (elicitationId) => (await secrets.get(elicitationId))?.text,
    delete: (elicitationId) => secrets.delete(elicitationId),
  };
}
