import {
  type Credential,
  type CredentialStore,
  isCredential,
  isSameCredential,
} from "../../../src/connect/ports/credentials.ts";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { exclusively } from "../database/locks.ts";
import { type Secret, type SecretKeys, createSecrets } from "./secrets.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** Keeps credentials in the database, encrypted, for all processes. */
export function createPostgresCredentials(
  database: Database,
  keys: SecretKeys | undefined,
): CredentialStore & Required<Pick<CredentialStore, "exclusively">> {
  const secrets = createSecrets(database, "credential", keys);

  return {
    async get(toolId, userId) {
      return credentialOf(await secrets.get(nameOf(toolId, userId)));
    },
    set: (toolId, userId, credential) => secrets.set(nameOf(toolId, userId), JSON.stringify(credential)),
    delete: (toolId, userId) => secrets.delete(nameOf(toolId, userId)),
    async replace(toolId, userId, old, next) {
      const name = nameOf(toolId, userId);
      for (;;) {
        const stored = await secrets.get(name);
        if (stored === undefined || !isSameCredential(credentialOf(stored), old)) return false;
        if (await secrets.replace(name, stored, next && JSON.stringify(next))) return true;
      }
    },
    exclusively: (toolId, userId, work) => exclusively(database, keyOf("credential", toolId, userId), work),
  };
}

function nameOf(toolId: string, userId: string): string {
  return JSON.stringify([toolId, userId]);
}

function credentialOf(secret: Secret | undefined): Credential | undefined {
  if (secret === undefined) return undefined;
  const value: unknown = JSON.parse(secret.text);
  if (isCredential(value)) return value;
  throw new KitError(
    "elicit-kit: a stored credential has a form that this version does not know. Update elicit-kit.",
  );
}
