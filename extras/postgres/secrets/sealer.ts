import { createHash } from "node:crypto";
import { type SecretKeys, type SecretKind, sealed, unsealed } from "./secrets.ts";

/** Encrypts texts that are kept in rows of other tables. */
export interface Sealer {
  /** `digest` is the SHA-256 of the sealed bytes, in hex. */
  seal(id: string, text: string): Promise<{ readonly sealed: Buffer; readonly digest: string }>;
  open(id: string, sealed: Uint8Array): Promise<string>;
}

/** The `id` of a text is authenticated with it, so that one text cannot be swapped for another. */
export function createSealer(kind: SecretKind, keys: SecretKeys): Sealer {
  return {
    async seal(id, text) {
      const bytes = await sealed(text, keys[0], `${kind} ${id}`);
      return { sealed: bytes, digest: createHash("sha256").update(bytes).digest("hex") };
    },
    open: (id, bytes) => unsealed(bytes, keys, `${kind} ${id}`),
  };
}
