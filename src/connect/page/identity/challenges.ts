import type { Clock } from "../../../base/clock.ts";
import { challengeOf } from "../../../base/seal.ts";
import { newSecret } from "../../../base/ids.ts";
import type { Cookies } from "../cookies.ts";

/**
 * The ways to ask the chat to vouch: `vouch` by navigation, `bind` through its window, `accounts` by navigation for a
 * page that belongs to a user and not to a request.
 */
export type ChallengeKind = "vouch" | "bind" | "accounts";

const CHALLENGE_MS = 120_000;
/** How long after its expiry a ticket is still accepted, because clocks differ and redirects take time. */
const LATE_TICKET_MS = 30_000;
/** The limit for each kind and browser. */
const MAX_CHALLENGES = 8;

/**
 * The challenges that this page has given to a browser. The secret of each is in a cookie of that browser for two
 * minutes, and the challenge is its hash. So a ticket for a challenge works only in that browser, and the server stores
 * nothing.
 */
export interface Challenges {
  /** Creates a challenge for one request. Send the `Set-Cookie` headers with it. */
  issue(
    request: Request,
    kind: ChallengeKind,
    elicitationId: string,
  ): Promise<{ challenge: string; setCookies: readonly string[] }>;
  /**
   * Checks a ticket against the challenges of this browser. `read` parses the ticket for a challenge. Returns the result,
   * with the `Set-Cookie` header that removes the challenge.
   */
  redeem<Found extends { readonly expiresAt: number }>(
    request: Request,
    kind: ChallengeKind,
    elicitationId: string,
    read: (challenge: string) => Promise<Found | undefined>,
  ): Promise<{ readonly found: Found; readonly setCookie: string } | undefined>;
  /** Returns the `Set-Cookie` headers that remove all challenges of one kind from this browser. */
  clear(request: Request, kind: ChallengeKind): readonly string[];
}

export function createChallenges({ cookies, clock }: { cookies: Cookies; clock: Clock }): Challenges {
  /** Reads the cookies of one kind, oldest first. */
  function readHeld(
    request: Request,
    kind: ChallengeKind,
  ): [name: string, secret: string, expiresAt: number][] {
    return [...cookies.readAll(request, stemOf(kind))]
      .map(([rest, secret]): [string, string, number] => [
        stemOf(kind) + rest,
        secret,
        Number(/^\d{1,16}(?=\.)/.exec(secret)?.[0] ?? 0),
      ])
      .toSorted(([, , a], [, , b]) => a - b);
  }

  return {
    async issue(request, kind, elicitationId) {
      const secret = `${clock.now() + CHALLENGE_MS}.${newSecret()}`;
      const challenge = await challengeOf(kind, elicitationId, secret);
      const name = stemOf(kind) + challenge.slice(0, 8);
      const surplus = readHeld(request, kind).slice(0, -(MAX_CHALLENGES - 1));
      return {
        challenge,
        setCookies: [
          ...surplus.map(([old]) => cookies.remove(old)),
          cookies.write(name, secret, CHALLENGE_MS / 1000),
        ],
      };
    },
    async redeem<Found extends { readonly expiresAt: number }>(
      request: Request,
      kind: ChallengeKind,
      elicitationId: string,
      read: (challenge: string) => Promise<Found | undefined>,
    ) {
      const now = clock.now();
      let redeemed: { found: Found; setCookie: string } | undefined;
      for (const [name, secret, expiresAt] of readHeld(request, kind).slice(-MAX_CHALLENGES)) {
        const found = await read(await challengeOf(kind, elicitationId, secret));
        if (found !== undefined && now <= found.expiresAt + LATE_TICKET_MS && now < expiresAt)
          redeemed = { found, setCookie: cookies.remove(name) };
      }
      return redeemed;
    },
    clear: (request, kind) => readHeld(request, kind).map(([name]) => cookies.remove(name)),
  };
}

function stemOf(kind: ChallengeKind): string {
  return `elicit-${kind}-`;
}
