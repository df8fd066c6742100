import type { User } from "../../../runtime/index.ts";
import {
  type ElicitationRecord,
  type ElicitationService,
  assignedStatement,
} from "../../../runtime/internal.ts";
import type { Clock } from "../../../base/clock.ts";
import { identityOf } from "../../../base/identity.ts";
import { SECRET_PATTERN, hmac, readSeal, seal } from "../../../base/seal.ts";
import { newSecret } from "../../../base/ids.ts";
import type { Cookies } from "../cookies.ts";
import { TRANSACTION_TTL_MS } from "../../ports/transactions.ts";

const PAGE_COOKIE = "elicit-page";

/** How long a browser is verified after the user's chat has vouched for it. */
export const PROOF_MS = 5 * 60_000;

/**
 * The user who views the page of a request (contract, section 6).
 * - `verified`: the user who decides, or whose turn asks, by a session on this origin or because their chat has vouched for
 *   this browser. If that user waits for another one to decide, the record is `assigned`.
 * - `unverified`: no user is signed in here, and no chat has vouched. The request was not read.
 * - `other`: a user is signed in on this origin, and the request is not theirs, or does not exist.
 */
export type Viewer =
  | { readonly kind: "verified"; readonly user: User; readonly record: ElicitationRecord }
  | { readonly kind: "unverified" }
  | { readonly kind: "other"; readonly user: User };

export interface Viewers {
  /** The browser's secret: read from its cookie, or a new one that must be set with the header in `setCookie`. */
  secretOf(request: Request): { secret: string; setCookie?: string };
  /** The user who is signed in on this origin. If there is one, no chat is asked. */
  sessionUser(request: Request): Promise<User | undefined>;
  /** `isReturning`: the browser returns from a provider. Its proof was valid when it left, and may have expired since. */
  identify(request: Request, secret: string, elicitationId: string, isReturning?: boolean): Promise<Viewer>;
  /**
   * The value of the `Set-Cookie` header with a proof for this browser, valid for five minutes. `user`: needed if the
   * request is assigned.
   */
  prove(secret: string, record: ElicitationRecord, user?: User): Promise<string>;
  /** The value of the `Set-Cookie` header that removes the proof. */
  forget(elicitationId: string): string;
  /** Proves that a form was sent by this page, from this browser, for this request. */
  csrfToken(secret: string, elicitationId: string): Promise<string>;
}

/**
 * Every browser gets a secret in a cookie. A proof is a MAC over that secret with the key of the record, so it works only
 * in this browser and for this request, and the server stores nothing. Pages contain only values derived from the secret,
 * so a leaked page is useless in another browser.
 */
export function createViewers(options: {
  elicitations: ElicitationService;
  cookies: Cookies;
  clock: Clock;
  session: ((request: Request) => User | undefined | Promise<User | undefined>) | undefined;
}): Viewers {
  const { elicitations, cookies, clock } = options;
  const session = options.session && identityOf(options.session);
  // Used for requests that do not exist, so that checking a proof takes as long as for others.
  const standInKey = newSecret();

  /** The proof contains its user. Whether they are still the assignee is read now. */
  async function assignedViewer(
    proof: string,
    known: { readonly elicitationId: string; readonly secret: string; readonly isReturning: boolean },
  ): Promise<Viewer> {
    const statement = assignedStatement(pageStatement(known.elicitationId, known.secret));
    const found = await elicitations.users.read(proof, statement);
    const end = (found?.expiresAt ?? 0) + (known.isReturning ? TRANSACTION_TTL_MS : 0);
    if (found === undefined || clock.now() >= end) return { kind: "unverified" };
    const record = await elicitations.findToShow(known.elicitationId, found.user.id);
    return record === undefined ? { kind: "unverified" } : { kind: "verified", user: found.user, record };
  }

  return {
    secretOf(request) {
      const known = cookies.read(request, PAGE_COOKIE);
      if (known !== undefined && SECRET_PATTERN.test(known)) return { secret: known };
      const secret = newSecret();
      return { secret, setCookie: cookies.write(PAGE_COOKIE, secret) };
    },
    sessionUser: async (request) => session?.(request),
    async identify(request, secret, elicitationId, isReturning = false) {
      const user = await session?.(request);
      const proof = cookies.read(request, proofCookie(elicitationId));
      if (user === undefined && proof === undefined) return { kind: "unverified" };
      // Always read, so that the response time is the same for an unknown request and for one of another user.
      if (user !== undefined) {
        const record = await elicitations.findToShow(elicitationId, user.id);
        return record === undefined ? { kind: "other", user } : { kind: "verified", user, record };
      }
      const record = await elicitations.get(elicitationId);
      if (record?.assigned !== undefined)
        return assignedViewer(proof ?? "", { elicitationId, secret, isReturning });
      const vouchKey = record?.vouchKey ?? standInKey;
      const expiresAt = await readSeal(vouchKey, pageStatement(elicitationId, secret), proof ?? "");
      const end = (expiresAt ?? 0) + (isReturning ? TRANSACTION_TTL_MS : 0);
      return record !== undefined && expiresAt !== undefined && clock.now() < end
        ? { kind: "verified", user: record.user, record }
        : { kind: "unverified" };
    },
    async prove(secret, { vouchKey, request: { elicitationId }, assigned }, user) {
      const statement = pageStatement(elicitationId, secret);
      const expiresAt = clock.now() + PROOF_MS;
      const proof =
        assigned === undefined || user === undefined
          ? await seal(vouchKey, statement, expiresAt)
          : await elicitations.users.seal(user, assignedStatement(statement), expiresAt);
      // The cookie lives longer than the proof, because it is needed when the user returns from a provider.
      const maxAge = (PROOF_MS + TRANSACTION_TTL_MS) / 1000;
      return cookies.write(proofCookie(elicitationId), proof, maxAge);
    },
    forget: (elicitationId) => cookies.remove(proofCookie(elicitationId)),
    csrfToken: (secret, elicitationId) => hmac(secret, `csrf\n${elicitationId}`),
  };
}

/**
 * The account that the page shows for a user. Only the account and the id identify a user: users can choose any name
 * themselves.
 */
export function accountOf({ account, name, id }: User): string {
  return account ?? (name === undefined || name === id ? id : `${name} (${id})`);
}

function proofCookie(elicitationId: string): string {
  return `elicit-as-${elicitationId.slice(0, 8)}`;
}

function pageStatement(elicitationId: string, secret: string) {
  return { purpose: "page", elicitationId, subject: secret } as const;
}
