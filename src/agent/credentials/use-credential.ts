import { isStoreAway } from "../../base/foreign-error.ts";
import type { Telemetry, User } from "../../runtime/index.ts";
import type { Credential, CredentialStore } from "../../connect/ports/credentials.ts";
import type { GatedServer } from "../mcp/mcp-server.ts";
import { CredentialRefused, createRefusalCounter } from "./refused-call.ts";

export interface CredentialOwner {
  server: GatedServer;
  user: User | undefined;
}

/** The result of a call with a credential, or why the server refused it, and which one. */
export type Used<T> =
  | { ok: true; value: T }
  | { ok: false; refusal: CredentialRefused; refused: Credential | undefined };

/** Runs a call. If the server refuses the credential, that is a result and not an error. */
async function unlessRefused<T>(call: Promise<T>, credential: Credential | undefined): Promise<Used<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (!(error instanceof CredentialRefused)) throw error;
    return { ok: false, refusal: error, refused: credential };
  }
}

/**
 * Runs `work` with a credential. If the server refuses it, refreshes it once and tries again. If that fails, deletes it. A
 * credential that only lacks scopes is kept.
 */
export type Attempt = <T>(
  owner: CredentialOwner,
  credential: Credential | undefined,
  work: (credential: Credential | undefined) => Promise<T>,
) => Promise<Used<T>>;

export function createAttempt({
  credentials,
  telemetry,
  onError,
}: {
  credentials: Pick<CredentialStore, "renew" | "replace">;
  telemetry?: Pick<Telemetry, "meter"> | undefined;
  onError: (error: unknown) => void;
}): Attempt {
  const countRefusal = createRefusalCounter(telemetry?.meter, onError);

  /** Also returns `undefined` if the renewal fails, because connecting again solves both problems. */
  async function renew({ server, user }: CredentialOwner, refused: Credential) {
    if (user === undefined) return undefined;
    try {
      return await credentials.renew?.(server.name, user.id, refused);
    } catch (error) {
      onError(error);
      // A durable turn runs again when the store is back.
      if (isStoreAway(error)) throw error;
      return undefined;
    }
  }

  /** Deletes the credential unless a newer one replaced it. The operator gets the store's error, the model does not. */
  async function deleteRefused(
    { server, user }: CredentialOwner,
    refused: readonly Credential[],
  ): Promise<void> {
    if (user === undefined) return;
    try {
      for (const credential of refused) {
        if (await credentials.replace(server.name, user.id, credential, undefined)) return;
      }
    } catch (error) {
      onError(error);
    }
  }

  return async (owner, credential, work) => {
    const use = async (used: Credential | undefined) => {
      const result = await unlessRefused(work(used), used);
      if (!result.ok) countRefusal(owner.server.name, used, result.refusal);
      return result;
    };
    const first = await use(credential);
    if (first.ok || credential === undefined || first.refusal.needsMoreScopes) return first;
    const newer = await renew(owner, credential);
    const second = newer && (await use(newer));
    if (second !== undefined && (second.ok || second.refusal.needsMoreScopes)) return second;
    await deleteRefused(owner, newer === undefined ? [credential] : [credential, newer]);
    return second ?? first;
  };
}
