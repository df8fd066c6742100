import { createHash, createHmac } from "node:crypto";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import type { StatementPart } from "../database/row.ts";
import { KitError } from "../../../src/contract/kit-error.ts";
import {
  type Encryption,
  createEncryption,
  joined,
  partsOf,
  keyBytes,
} from "../../../src/base/encryption.ts";

/** Distinguishes a wrong key from a damaged row, without revealing the key. */
const CHECK_BYTES = 8;

/** A kind of secret. The kind is authenticated, so that a row cannot be used as one of another kind. */
export type SecretKind = "credential" | "client" | "sign-in" | "draft" | "decision" | "remembered";

/** A stored secret. `sealed` identifies this version of it. */
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
  /** Stores the text if there is none yet. Returns `false` if there is one. */
  add(id: string, text: string, expiresAt?: number): Promise<boolean>;
  /** Replaces or deletes the secret if this is still the stored version. */
  replace(id: string, old: Secret, next: string | undefined): Promise<boolean>;
  /**
   * Returns the entry `kept` of a `with` list. It stores the text for a row of `from` if `old` is still the stored version
   * (`undefined`: there is none, or it has expired).
   */
  kept(
    from: string,
    id: string,
    old: Secret | undefined,
    next: { readonly text: string; readonly expiresAt: number },
  ): Promise<StatementPart>;
  delete(id: string): Promise<void>;
  /** Deletes the secret and returns it, unless it has expired. */
  take(id: string): Promise<Secret | undefined>;
}

/** A key of `createPostgresPorts`, with the mark of the secrets that it encrypts. */
interface SecretKey {
  readonly encryption: Encryption;
  readonly check: Buffer;
}

/** The `key` option of `createPostgresPorts`. */
export type SecretKeyOption = Uint8Array | string | readonly (Uint8Array | string)[];

/** The keys of `createPostgresPorts`: the first one encrypts, all of them decrypt. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]];

const OPTION = "the key of createPostgresPorts";

export function readKeys(option: SecretKeyOption | undefined): SecretKeys | undefined {
  if (option === undefined) return undefined;
  const [first, ...older] = (isList(option) ? option : [option]).map((key): SecretKey => {
    const bytes = keyBytes(key, OPTION);
    return { encryption: createEncryption(bytes), check: checkOf(bytes) };
  });
  if (first !== undefined) return [first, ...older];
  throw new KitError(
    `elicit-kit: ${OPTION} is an empty list. Pass the newest key first, and the older ones after it.`,
  );
}

function isList(option: SecretKeyOption): option is readonly (Uint8Array | string)[] {
  return Array.isArray(option);
}

export function createSecrets(database: Database, kind: SecretKind, keys: SecretKeys | undefined): Secrets {
  function secretKeys(): SecretKeys {
    if (keys !== undefined) return keys;
    throw new KitError(
      "elicit-kit: createPostgresPorts has no key, so it cannot store secrets. Pass the `key` option (`openssl rand -base64 32`), from a secret store and not from the database.",
    );
  }
  const seal = async (id: string, text: string) => sealed(text, secretKeys()[0], `${kind} ${id}`);
  const open = async (id: string, bytes: Uint8Array): Promise<Secret> => ({
    text: await unsealed(bytes, secretKeys(), `${kind} ${id}`),
    sealed: bytes,
  });

  /** Also matches the value that this statement has written, in case its reply was lost with the connection. */
  async function exchange(id: string, old: Uint8Array, next: Buffer): Promise<boolean> {
    const rows = await database.query(
      "update SCHEMA.secrets set sealed = $4 where kind = $1 and id = $2 and sealed in ($3, $4) returning id",
      [kind, keyOf(id), Buffer.from(old), next],
    );
    return rows.length > 0;
  }

  return {
    async get(id) {
      for (;;) {
        const [row] = await database.query(
          `select sealed from SCHEMA.secrets
           where kind = $1 and id = $2 and (forget_at is null or forget_at > now())`,
          [kind, keyOf(id)],
        );
        if (row === undefined) return undefined;
        const secret = await open(id, row.bytes("sealed"));
        if (isSealedWith(secretKeys()[0], secret.sealed)) return secret;
        // The secret is encrypted with an older key, so encrypt it again, unless it has just been changed.
        const renewed = await seal(id, secret.text);
        if (await exchange(id, secret.sealed, renewed)) return { ...secret, sealed: renewed };
      }
    },
    async set(id, text, expiresAt) {
      await database.query(
        `insert into SCHEMA.secrets (kind, id, sealed, forget_at)
         values ($1, $2, $3, to_timestamp($4::double precision / 1000))
         on conflict (kind, id) do update set sealed = excluded.sealed, forget_at = excluded.forget_at`,
        [kind, keyOf(id), await seal(id, text), expiresAt ?? null],
      );
    },
    async add(id, text, expiresAt) {
      const bytes = await seal(id, text);
      const rows = await database.query(
        // The bytes are equal, so this statement has already run and its reply was lost with the connection.
        `insert into SCHEMA.secrets as s (kind, id, sealed, forget_at)
         values ($1, $2, $3, to_timestamp($4::double precision / 1000))
         on conflict (kind, id) do update set sealed = excluded.sealed where s.sealed = excluded.sealed
         returning id`,
        [kind, keyOf(id), bytes, expiresAt ?? null],
      );
      return rows.length > 0;
    },
    async replace(id, old, next) {
      if (next !== undefined) return exchange(id, old.sealed, await seal(id, next));
      const rows = await database.query(
        "delete from SCHEMA.secrets where kind = $1 and id = $2 and sealed = $3 returning id",
        [kind, keyOf(id), Buffer.from(old.sealed)],
      );
      return rows.length > 0;
    },
    async kept(from, id, old, { text, expiresAt }) {
      const bytes = await seal(id, text);
      const before = old === undefined ? null : Buffer.from(old.sealed);
      return (first) => {
        const [ofKind, ofId, sealedText, until, version] = [0, 1, 2, 3, 4].map((at) => `$${first + at}`);
        return {
          sql: `kept as (
            insert into SCHEMA.secrets as s (kind, id, sealed, forget_at)
            select ${ofKind}::text, ${ofId}::text, ${sealedText}::bytea, to_timestamp(${until}::double precision / 1000)
            from ${from}
            where ${version}::bytea is null
              or exists (select from SCHEMA.secrets where kind = ${ofKind}::text and id = ${ofId}::text)
            on conflict (kind, id) do update set sealed = excluded.sealed, forget_at = excluded.forget_at
            where s.sealed = excluded.sealed or s.sealed = ${version}::bytea
              or (${version}::bytea is null and s.forget_at <= now())
            returning id
          )`,
          values: [kind, keyOf(id), bytes, expiresAt, before],
        };
      };
    },
    async delete(id) {
      await database.query("delete from SCHEMA.secrets where kind = $1 and id = $2", [kind, keyOf(id)]);
    },
    async take(id) {
      secretKeys();
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

/** The authenticated data of a text: the row that it belongs to. */
function ownerOf(owner: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash("sha256").update(owner).digest());
}

function isSealedWith({ check }: SecretKey, bytes: Uint8Array): boolean {
  return check.equals(bytes.subarray(0, CHECK_BYTES));
}

export async function sealed(text: string, { encryption, check }: SecretKey, owner: string): Promise<Buffer> {
  const { nonce, data, tag } = await encryption.encrypt(text, ownerOf(owner));
  return Buffer.from(joined(check, nonce, tag, data));
}

export async function unsealed(bytes: Uint8Array, keys: SecretKeys, owner: string): Promise<string> {
  const key = keys.find((each) => isSealedWith(each, bytes));
  if (key === undefined) {
    throw new KitError(
      "elicit-kit: a secret in the database was stored with another key. Give all processes the same keys, also an old one that you replace (`key: [newKey, oldKey]`); if the old one is lost, delete the rows of the table `secrets`, and people connect again.",
    );
  }
  const text = await key.encryption.decrypt(
    partsOf(bytes.subarray(CHECK_BYTES), "tag, data"),
    ownerOf(owner),
  );
  if (text !== undefined) return text;
  throw new KitError(
    "elicit-kit: a secret in the database was changed after it was stored, so it is not used. Delete its row; the user connects again.",
  );
}
