import type { Clock } from "../../../base/clock.ts";
import { challengeOf, readSeal } from "../../../base/seal.ts";
import { newSecret } from "../../../base/ids.ts";
import type { Cookies } from "../cookies.ts";

/** How the chat is asked to vouch: `vouch` by a navigation, `bind` through its window. */
export type ChallengeKind = "vouch" | "bind";

const CHALLENGE_MS = 120_000;
/** How long after its expiry a ticket is still accepted: clocks differ, and redirects take time. */
const LATE_TICKET_MS = 30_000;
/** For each kind and browser. */
const MAX_CHALLENGES = 8;

/**
 * The challenges that this page has given to a browser. The secret of each is in a cookie of that browser for two minutes;
 * the challenge is its hash. So a ticket for a challenge works in one browser only, and the server stores nothing.
 */
export interface Challenges {
  /** Creates a challenge for one request. Send the `Set-Cookie` headers with it. */
  issue(
    request: Request,
    kind: ChallengeKind,
    elicitationId: string,
  ): Promise<{ challenge: string; setCookies: readonly string[] }>;
  /** Checks a ticket against the challenges of this browser. Returns the `Set-Cookie` header that removes its challenge. */
  redeem(
    request: Request,
    ticket: { kind: ChallengeKind; elicitationId: string; vouchKey: string; text: string },
  ): Promise<string | undefined>;
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
    async redeem(request, { kind, elicitationId, vouchKey, text }) {
      const now = clock.now();
      let redeemed: string | undefined;
      for (const [name, secret, expiresAt] of readHeld(request, kind).slice(-MAX_CHALLENGES)) {
        const subject = await challengeOf(kind, elicitationId, secret);
        const ticketEnds = await readSeal(vouchKey, { purpose: kind, elicitationId, subject }, text);
        if (ticketEnds !== undefined && now <= ticketEnds + LATE_TICKET_MS && now < expiresAt)
          redeemed = name;
      }
      return redeemed === undefined ? undefined : cookies.remove(redeemed);
    },
    clear: (request, kind) => readHeld(request, kind).map(([name]) => cookies.remove(name)),
  };
}

function stemOf(kind: ChallengeKind): string {
  return `elicit-${kind}-`;
}
