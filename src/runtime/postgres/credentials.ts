import { type Credential, type CredentialStore, isCredential, isSameCredential } from "../core/index.ts";
import type { Database } from "./database.ts";
import { keyOf } from "./keys.ts";
import { type Secret, createSecrets } from "./secrets.ts";

/** How long a refresh blocks other processes if its process dies. */
const LOCK = "interval '60 seconds'";
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** Keeps credentials in the database, encrypted, for all processes. */
export function createPostgresCredentials(
  database: Database,
  key: Uint8Array | undefined,
): CredentialStore & Required<Pick<CredentialStore, "exclusively">> {
  const secrets = createSecrets(database, "credential", key);

  async function lock(id: string, holder: string): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const rows = await database.query(
        `insert into SCHEMA.locks as l (id, holder, until) values ($1, $2, now() + ${LOCK})
         on conflict (id) do update set holder = excluded.holder, until = excluded.until
         where l.until < now() or l.holder = excluded.holder
         returning id`,
        [id, holder],
      );
      if (rows.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    }
  }

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
    async exclusively(toolId, userId, work) {
      const id = keyOf("credential", toolId, userId);
      const holder = crypto.randomUUID();
      await lock(id, holder);
      try {
        return await work();
      } finally {
        await database.query("delete from SCHEMA.locks where id = $1 and holder = $2", [id, holder]);
      }
    },
  };
}

function nameOf(toolId: string, userId: string): string {
  return JSON.stringify([toolId, userId]);
}

function credentialOf(secret: Secret | undefined): Credential | undefined {
  if (secret === undefined) return undefined;
  const value: unknown = JSON.parse(secret.text);
  if (isCredential(value)) return value;
  throw new Error(
    "elicit-kit: a stored credential has a form that this version does not know. Update elicit-kit.",
  );
}
