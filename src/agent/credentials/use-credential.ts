import { isStoreAway } from "../../base/foreign-error.ts";
import type { Telemetry, User } from "../../runtime/index.ts";
import type { Clock } from "../../base/clock.ts";
import { type Credential, type CredentialStore, isSameCredential } from "../../connect/ports/credentials.ts";
import { type CredentialInUse, useCredential } from "./credential-in-use.ts";
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

/**
 * Runs `work` with a credential. If the server refuses it, refreshes it once and tries again. If that fails, deletes it. A
 * credential that only lacks scopes is kept.
 */
export type Attempt = <T>(
  owner: CredentialOwner,
  credential: Credential | undefined,
  work: (credential: CredentialInUse | undefined) => Promise<T>,
) => Promise<Used<T>>;

export function createAttempt({
  credentials,
  stored,
  telemetry,
  clock,
  onError,
}: {
  credentials: Pick<CredentialStore, "renew" | "replace">;
  stored: (server: GatedServer, user: User | undefined) => Promise<Credential | undefined>;
  telemetry?: Pick<Telemetry, "meter"> | undefined;
  clock: Clock;
  onError: (error: unknown) => void;
}): Attempt {
  const countRefusal = createRefusalCounter(telemetry?.meter, onError);

  /** Also returns `undefined` if that fails: the server refuses the credential again, and then the user is asked. */
  async function tryRead(read: () => Promise<Credential | undefined>): Promise<Credential | undefined> {
    try {
      return await read();
    } catch (error) {
      onError(error);
      // A durable turn runs again when the store is back.
      if (isStoreAway(error)) throw error;
      return undefined;
    }
  }

  const renew = ({ server, user }: CredentialOwner, refused: Credential) =>
    tryRead(async () => user && credentials.renew?.(server.name, user.id, refused));

  /** Deletes the credential unless a newer one replaced it. The operator gets the store's error, the model does not. */
  async function deleteRefused(
    { server, user }: CredentialOwner,
    refused: readonly Credential[],
  ): Promise<void> {
    if (user === undefined) return;
    try {
      for (const credential of refused) {
        // Its refresh token may be valid, and a store that refreshes deletes it itself.
        const hasExpired = clock.now() >= (credential.expiresAt ?? Infinity);
        if (hasExpired && !isSameCredential(await stored(server, user), credential)) continue;
        if (await credentials.replace(server.name, user.id, credential, undefined)) return;
      }
    } catch (error) {
      onError(error);
    }
  }

  return async <T>(
    owner: CredentialOwner,
    credential: Credential | undefined,
    work: (credential: CredentialInUse | undefined) => Promise<T>,
  ) => {
    /** Runs the work. If the server refuses the credential, that is a result and not an error. */
    const use = async (given: Credential | undefined): Promise<Used<T>> => {
      const using =
        given && useCredential(given, () => tryRead(() => stored(owner.server, owner.user)), clock);
      try {
        return { ok: true, value: await work(using?.inUse) };
      } catch (error) {
        if (!(error instanceof CredentialRefused)) throw error;
        const refused = using?.latest();
        countRefusal(owner.server.name, refused, error);
        return { ok: false, refusal: error, refused };
      }
    };
    const first = await use(credential);
    if (first.ok || first.refused === undefined || first.refusal.needsMoreScopes) return first;
    const { refused } = first;
    const newer = await renew(owner, refused);
    const second = newer && (await use(newer));
    if (second !== undefined && (second.ok || second.refusal.needsMoreScopes)) return second;
    await deleteRefused(owner, newer === undefined ? [refused] : [refused, newer]);
    return second ?? first;
  };
}
