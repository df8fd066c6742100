import type { Clock } from "../../base/clock.ts";
import { isObject } from "../../contract/json.ts";
import type { SignInTarget } from "../../runtime/internal.ts";
import type { User } from "../../runtime/index.ts";
import {
  siblingsOf,
  type Credential,
  type CredentialBinding,
  type CredentialStore,
  isSameAccount,
  peekAt,
} from "../ports/credentials.ts";
import type { AccountFault, AccountKey, SignInFlow, SignInPlace } from "../ports/connector.ts";
import { isSameIssuer } from "./authorization-server.ts";
import { METHODS } from "./choose-client.ts";
import type { SignIn, SignInPlan, SignInTrip } from "./oauth-client.ts";
import { SignInError } from "./sign-in-error.ts";

/** The codes of a user who has refused: RFC 6749, 4.1.2.1; Microsoft; LinkedIn. */
const DENIED: ReadonlySet<string | undefined> = new Set([
  "access_denied",
  "consent_required",
  "user_cancelled_login",
  "user_cancelled_authorize",
]);

/** A client at an authorization server. */
export type ClientAtIssuer = Pick<CredentialBinding, "issuer" | "clientId">;

/** Sends a browser to an authorization server, configured or discovered, and handles its return. */
export function createOAuthFlow({
  service,
  signIn,
  offline,
  sameGrant,
  credentials,
  clock,
}: {
  service: string;
  signIn: SignIn;
  /**
   * The sign-in place that is shown while the authorization server cannot be reached. The user sees the error after
   * Continue.
   */
  offline: (target: SignInTarget | undefined) => SignInPlace;
  /**
   * The ids of the user's other accounts that may be at the same client, whose tokens the authorization server may revoke
   * together.
   */
  sameGrant: (client: ClientAtIssuer, user: User) => Promise<readonly string[]>;
  credentials: CredentialStore;
  clock: Clock;
}): SignInFlow {
  /**
   * If the user connects the same account again, only one entry stays. Its older token is not revoked, because some
   * providers would also revoke the new one.
   */
  async function forgetTwins({ toolId, userId }: AccountKey, connected: Credential): Promise<void> {
    // A server that was discovered does not say whose account it is.
    if (connected.binding !== undefined) return;
    const others = siblingsOf(toolId);
    // The account is connected by now. A twin that cannot be read stays, and can be removed on the page of accounts.
    await Promise.allSettled(
      others.map(async (other) => {
        const stored = await peekAt(credentials, other, userId);
        if (stored !== undefined && isSameAccount(stored, connected))
          await credentials.replace(other, userId, stored, undefined);
      }),
    );
  }

  return {
    async place(target) {
      const plan = await signIn.discover(target).catch(() => undefined);
      return plan === undefined ? offline(target) : placeOf(plan);
    },
    async start({ target, tried, origin, hasShown }) {
      try {
        const methods = new Set(METHODS.filter((method) => tried.has(method)));
        const plan = await signIn.discover(target);
        if (!(await hasShown(placeOf(plan)))) return { ok: true };
        const { url, state, method, trip } = await signIn.start(plan, methods, origin);
        const isDoubted = method === "metadata-document" && tried.has(method);
        return {
          ok: true,
          url: url.href,
          state,
          redirectUri: trip.redirectUri,
          data: trip,
          method,
          ...(isDoubted && { warning: unreadDocument(trip) }),
        };
      } catch (error) {
        return faultOf(error);
      }
    },
    async finish({ account: { toolId, userId }, user, data, state, parameters }) {
      try {
        if (!isTrip(data)) throw new SignInError(`the sign-in to ${service} began in another way`);
        const client = { issuer: data.server.issuer, clientId: data.client.clientId };
        const credential = await signIn.finish(data, state, parameters);
        return {
          ok: true,
          name: credential.account,
          accountId: credential.accountId,
          async store() {
            await credentials.set(toolId, userId, { ...credential, connectedAt: clock.now() });
            await forgetTwins({ toolId, userId }, credential);
          },
          async undo() {
            // Some providers revoke all tokens of an account together, also those of a connection that is kept.
            const ids = new Set([toolId, ...siblingsOf(toolId), ...(await sameGrant(client, user))]);
            const stored = await Promise.all([...ids].map((id) => peekAt(credentials, id, userId)));
            const isKept = (one: Credential) => mayBeAt(client, one) && !isOtherAccount(one, credential);
            if (!stored.some((one) => one !== undefined && isKept(one))) await signIn.revoke(credential);
          },
        };
      } catch (error) {
        return faultOf(error);
      }
    },
  };
}

function placeOf({ server, scopes }: SignInPlan): SignInPlace {
  const { origin, host } = new URL(server.authorization_endpoint);
  return { origin, host, scopes };
}

/** Only ids prove it: a name can change, and a credential may have neither. */
function isOtherAccount({ accountId: one }: Credential, { accountId: other }: Credential): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** Only a credential of a discovered server says which client got it. */
function mayBeAt({ issuer, clientId }: ClientAtIssuer, { binding }: Credential): boolean {
  return binding === undefined || (binding.clientId === clientId && isSameIssuer(binding.issuer, issuer));
}

/** Whether this is data from `start`. It comes from the store of the hosted page, to which only that page writes. */
function isTrip(data: unknown): data is SignInTrip {
  return isObject(data) && isObject(data["server"]) && isObject(data["client"]) && "codeVerifier" in data;
}

function faultOf(error: unknown): AccountFault {
  if (!(error instanceof SignInError)) return { ok: false, reason: "unavailable", error };
  const { code, isNotSetUp, needsApproval } = error;
  if (needsApproval) return { ok: false, reason: "not-approved", code, error };
  if (isNotSetUp) return { ok: false, reason: "not-set-up", error };
  return { ok: false, reason: DENIED.has(code) ? "denied" : "unavailable", code, error };
}

/** The user opens the page again without having been redirected back, and no other method is left. */
function unreadDocument({ service, server, client }: SignInTrip): SignInError {
  return new SignInError(
    `a user left for ${server.issuer}, to sign in to ${service}, and did not come back. If it cannot read the client id metadata document of this page, ${client.clientId}, make the page public on https, or register a client there by hand.`,
  );
}
