import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { KitError } from "../../core/internal.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Distinguishes a wrong key from a damaged row, without revealing the key. */
const CHECK_BYTES = 8;

/** A kind of secret. It is part of what is authenticated, so that a row cannot stand in for one of another kind. */
export type SecretKind = "credential" | "client" | "sign-in" | "draft";

/** A secret as it is stored. `sealed` identifies this version of it. */
export interface Secret {
  readonly text: string;
  readonly sealed: Uint8Array;
}

/** Texts that are encrypted with AES-256-GCM before they reach the database. */
export interface Secrets {
  /** `undefined`: there is none, or it has expired. */
  get(id: string): Promise<Secret | undefined>;
  /** `expiresAt` in milliseconds since the epoch. */
  set(id: string, text: string, expiresAt?: number): Promise<void>;
  /** Stores the text unless there is one. `false`: there is one. */
  add(id: string, text: string, expiresAt?: number): Promise<boolean>;
  /** Replaces or deletes the secret if it is still this version. */
  replace(id: string, old: Secret, next: string | undefined): Promise<boolean>;
  delete(id: string): Promise<void>;
  /** Deletes the secret and returns it, unless it has expired. */
  take(id: string): Promise<Secret | undefined>;
}

export function createSecrets(database: Database, kind: SecretKind, key: Uint8Array | undefined): Secrets {
  function secretKey(): Uint8Array {
    if (key !== undefined) return key;
    throw new KitError(
      "elicit-kit: createPostgresPorts has no key, so it cannot store secrets. Pass the `key` option (`openssl rand -base64 32`), from a secret store and not from the database.",
    );
  }
  const seal = (id: string, text: string) => sealed(text, secretKey(), `${kind} ${id}`);
  const open = (id: string, bytes: Uint8Array): Secret => ({
    text: unsealed(bytes, secretKey(), `${kind} ${id}`),
    sealed: bytes,
  });

  return {
    async get(id) {
      const [row] = await database.query(
        `select sealed from SCHEMA.secrets
         where kind = $1 and id = $2 and (forget_at is null or forget_at > now())`,
        [kind, keyOf(id)],
      );
      return row && open(id, row.bytes("sealed"));
    },
    async set(id, text, expiresAt) {
      await database.query(
        `insert into SCHEMA.secrets (kind, id, sealed, forget_at)
         values ($1, $2, $3, to_timestamp($4::double precision / 1000))
         on conflict (kind, id) do update set sealed = excluded.sealed, forget_at = excluded.forget_at`,
        [kind, keyOf(id), seal(id, text), expiresAt ?? null],
      );
    },
    async add(id, text, expiresAt) {
      const bytes = seal(id, text);
      const rows = await database.query(
        // The same bytes: this statement has already run, and its reply was lost with the connection.
        `insert into SCHEMA.secrets as s (kind, id, sealed, forget_at)
         values ($1, $2, $3, to_timestamp($4::double precision / 1000))
         on conflict (kind, id) do update set sealed = excluded.sealed where s.sealed = excluded.sealed
         returning id`,
        [kind, keyOf(id), bytes, expiresAt ?? null],
      );
      return rows.length > 0;
    },
    async replace(id, old, next) {
      const values = [kind, keyOf(id), Buffer.from(old.sealed)];
      const rows =
        next === undefined
          ? await database.query(
              "delete from SCHEMA.secrets where kind = $1 and id = $2 and sealed = $3 returning id",
              values,
            )
          : await database.query(
              "update SCHEMA.secrets set sealed = $4 where kind = $1 and id = $2 and sealed in ($3, $4) returning id",
              [...values, seal(id, next)],
            );
      return rows.length > 0;
    },
    async delete(id) {
      await database.query("delete from SCHEMA.secrets where kind = $1 and id = $2", [kind, keyOf(id)]);
    },
    async take(id) {
      secretKey();
      // Not retried: if the reply is lost, the secret counts as used.
      const [row] = await database.transaction((query) =>
        query(
          `delete from SCHEMA.secrets where kind = $1 and id = $2
           returning sealed, coalesce(forget_at <= now(), false) as expired`,
          [kind, keyOf(id)],
        ),
      );
      return row === undefined || row.flag("expired") ? undefined : open(id, row.bytes("sealed"));
    },
  };
}

function checkOf(key: Uint8Array): Buffer {
  return createHmac("sha256", key).update("elicit-kit secrets 1").digest().subarray(0, CHECK_BYTES);
}

/** What is authenticated with a text: which row it belongs to. */
function ownerOf(owner: string): Buffer {
  return createHash("sha256").update(owner).digest();
}

function sealed(text: string, key: Uint8Array, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES }).setAAD(
    ownerOf(owner),
  );
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([checkOf(key), nonce, cipher.getAuthTag(), data]);
}

function unsealed(bytes: Uint8Array, key: Uint8Array, owner: string): string {
  const nonceAt = CHECK_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  const dataAt = tagAt + TAG_BYTES;
  if (!checkOf(key).equals(bytes.subarray(0, nonceAt))) {
    throw new KitError(
      "elicit-kit: a secret in the database was stored with another key. Give all processes the same key; if the old one is lost, delete the rows of the table `secrets`, and people connect again.",
    );
  }
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(nonceAt, tagAt), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(ownerOf(owner))
      .setAuthTag(bytes.subarray(tagAt, dataAt));
    return Buffer.concat([decipher.update(bytes.subarray(dataAt)), decipher.final()]).toString("utf8");
  } catch {
    throw new KitError(
      "elicit-kit: a secret in the database was changed after it was stored, so it is not used. Delete its row; the person connects again.",
    );
  }
}
