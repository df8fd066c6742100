import { base64url, identityOf } from "../core/internal.ts";
import type { ElicitationRecord, User } from "../core/index.ts";
import type { Cookies } from "./cookies.ts";

const PAGE_COOKIE = "elicit-page";

/**
 * Who looks at the page of a request (contract, section 6).
 * - `verified`: the person who was asked, by a session on this origin or because their chat has vouched for this browser.
 * - `unverified`: nobody knows yet. Their chat may vouch for `challenge`.
 * - `other`: somebody else is signed in here.
 */
export type Viewer =
  | { kind: "verified"; user: User }
  | { kind: "unverified"; challenge: string }
  | { kind: "other" };

export interface Viewers {
  /** The browser's secret: read from its cookie, or new and then to be set with the header in `setCookie`. */
  secretOf(request: Request): { secret: string; setCookie?: string };
  identify(request: Request, secret: string, record: ElicitationRecord): Promise<Viewer>;
  /** Proof that a form was sent by a page of ours, for this browser and this request. */
  csrfToken(secret: string, elicitationId: string): Promise<string>;
}

/**
 * Every browser gets a secret in a cookie. What goes into pages (the challenge, the CSRF token) is derived from it, so
 * reading a page gives nothing to take elsewhere.
 */
export function createViewers(options: {
  cookies: Cookies;
  session: ((request: Request) => User | undefined | Promise<User | undefined>) | undefined;
}): Viewers {
  const { cookies } = options;
  const session = options.session && identityOf(options.session);
  return {
    secretOf(request) {
      const known = cookies.read(request, PAGE_COOKIE);
      if (known !== undefined && /^[\w-]{43}$/.test(known)) return { secret: known };
      const secret = base64url(crypto.getRandomValues(new Uint8Array(32)));
      return { secret, setCookie: cookies.write(PAGE_COOKIE, secret) };
    },
    async identify(request, secret, record) {
      const user = await session?.(request);
      if (user !== undefined)
        return user.id === record.user.id ? { kind: "verified", user } : { kind: "other" };
      const challenge = await derive(secret, "bind", record.request.elicitationId);
      return record.boundChallenge !== undefined && isEqual(record.boundChallenge, challenge)
        ? { kind: "verified", user: record.user }
        : { kind: "unverified", challenge };
    },
    csrfToken: (secret, elicitationId) => derive(secret, "csrf", elicitationId),
  };
}

async function derive(secret: string, purpose: string, elicitationId: string): Promise<string> {
  const bytes = new TextEncoder();
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes.encode(secret), hash, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, bytes.encode(`${purpose}\n${elicitationId}`));
  return base64url(new Uint8Array(signature));
}

/** Takes the same time wherever the two differ. */
export function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
