import type { Clock, ElicitationRecord, ElicitationService, User } from "../core/index.ts";
import { SECRET_PATTERN, hmac, identityOf, newSecret, readSeal, seal } from "../core/internal.ts";
import type { Cookies } from "./cookies.ts";
import { TRANSACTION_TTL_MS } from "./transactions.ts";

const PAGE_COOKIE = "elicit-page";

/** How long a browser is taken for the person's after their chat has vouched for it. */
const PROOF_MS = 5 * 60_000;

/**
 * Who looks at the page of a request (contract, section 6).
 * - `verified`: the person who was asked, by a session on this origin or because their chat has vouched for this browser.
 * - `unverified`: nobody is signed in here, and no chat has vouched. Nothing was read of the request.
 * - `other`: somebody is signed in on this origin to whom the request does not belong, if there is one.
 */
export type Viewer =
  | { readonly kind: "verified"; readonly user: User; readonly record: ElicitationRecord }
  | { readonly kind: "unverified" }
  | { readonly kind: "other" };

export interface Viewers {
  /** The browser's secret: read from its cookie, or new and then to be set with the header in `setCookie`. */
  secretOf(request: Request): { secret: string; setCookie?: string };
  /** Whether anybody is signed in on this origin. Then no chat is asked who they are. */
  hasSession(request: Request): Promise<boolean>;
  /**
   * `isReturning`: the browser comes back from a provider, to which it left while its proof was good; the proof may have
   * ended since.
   */
  identify(request: Request, secret: string, elicitationId: string, isReturning?: boolean): Promise<Viewer>;
  /** Value of the `Set-Cookie` header that proves this browser the person's, for five minutes. */
  prove(secret: string, record: ElicitationRecord): Promise<string>;
  /** Value of the `Set-Cookie` header that takes the proof back. */
  forget(elicitationId: string): string;
  /** Proof that a form was sent by a page of ours, for this browser and this request. */
  csrfToken(secret: string, elicitationId: string): Promise<string>;
}

/**
 * Every browser gets a secret in a cookie. A proof is a MAC over that secret under the key of the record: it is good in
 * this browser and for this request only, and nothing about it is kept here. What goes into pages is derived from the
 * secret, so reading a page gives nothing to take elsewhere.
 */
export function createViewers(options: {
  elicitations: ElicitationService;
  cookies: Cookies;
  clock: Clock;
  session: ((request: Request) => User | undefined | Promise<User | undefined>) | undefined;
}): Viewers {
  const { elicitations, cookies, clock } = options;
  const session = options.session && identityOf(options.session);

  return {
    secretOf(request) {
      const known = cookies.read(request, PAGE_COOKIE);
      if (known !== undefined && SECRET_PATTERN.test(known)) return { secret: known };
      const secret = newSecret();
      return { secret, setCookie: cookies.write(PAGE_COOKIE, secret) };
    },
    hasSession: async (request) => (await session?.(request)) !== undefined,
    async identify(request, secret, elicitationId, isReturning = false) {
      const user = await session?.(request);
      const proof = cookies.read(request, proofCookie(elicitationId));
      if (user === undefined && proof === undefined) return { kind: "unverified" };
      // Whoever is signed in here waits for the same, whether the request is unknown or somebody else's.
      const record = await elicitations.get(elicitationId);
      if (user !== undefined) {
        return record?.user.id === user.id ? { kind: "verified", user, record } : { kind: "other" };
      }
      if (record === undefined || proof === undefined) return { kind: "unverified" };
      const expiresAt = await readSeal(record.vouchKey, pageStatement(elicitationId, secret), proof);
      const end = (expiresAt ?? 0) + (isReturning ? TRANSACTION_TTL_MS : 0);
      return expiresAt !== undefined && clock.now() < end
        ? { kind: "verified", user: record.user, record }
        : { kind: "unverified" };
    },
    async prove(secret, { vouchKey, request: { elicitationId } }) {
      const proof = await seal(vouchKey, pageStatement(elicitationId, secret), clock.now() + PROOF_MS);
      // The browser keeps it longer than it opens pages: for the way back from a provider.
      const maxAge = (PROOF_MS + TRANSACTION_TTL_MS) / 1000;
      return cookies.write(proofCookie(elicitationId), proof, maxAge);
    },
    forget: (elicitationId) => cookies.remove(proofCookie(elicitationId)),
    csrfToken: (secret, elicitationId) => hmac(secret, `csrf\n${elicitationId}`),
  };
}

function proofCookie(elicitationId: string): string {
  return `elicit-as-${elicitationId.slice(0, 8)}`;
}

function pageStatement(elicitationId: string, secret: string) {
  return { purpose: "page", elicitationId, subject: secret } as const;
}
