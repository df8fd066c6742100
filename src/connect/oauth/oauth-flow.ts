import { isObject } from "../../contract/json.ts";
import type { SignInTarget } from "../../runtime/internal.ts";
import { siblingsOf } from "../ports/account-ids.ts";
import type { Credential, CredentialStore } from "../ports/credentials.ts";
import type { AccountFault, AccountKey, SignInFlow, SignInPlace } from "../ports/connector.ts";
import { METHODS } from "./choose-client.ts";
import type { SignIn, SignInTrip } from "./oauth-client.ts";
import { SignInError } from "./sign-in-error.ts";

/** Sends a browser to an authorization server, configured or discovered, and takes it back. */
export function createOAuthFlow({
  service,
  signIn,
  offline,
  credentials,
}: {
  service: string;
  signIn: SignIn;
  /** What is shown while the authorization server cannot be reached. Users learn it when they continue. */
  offline: (target: SignInTarget | undefined) => SignInPlace;
  credentials: CredentialStore;
}): SignInFlow {
  /**
   * An account that the user connects once more has one place. Its older token is not revoked: some providers revoke with it
   * the one that was just granted.
   */
  async function forgetTwins(
    { toolId, userId }: AccountKey,
    { account, binding }: Credential,
  ): Promise<void> {
    // A server that was discovered has one account of each user.
    if (account === undefined || binding !== undefined) return;
    const others = siblingsOf(toolId);
    await Promise.all(
      others.map(async (other) => {
        const stored = await credentials.get(other, userId);
        if (stored?.account === account) await credentials.replace(other, userId, stored, undefined);
      }),
    );
  }

  return {
    async place(target) {
      const plan = await signIn.discover(target).catch(() => undefined);
      if (plan === undefined) return offline(target);
      const { origin, host } = new URL(plan.server.authorization_endpoint);
      return { origin, host, scopes: plan.scopes };
    },
    async start({ target, tried, origin }) {
      try {
        const methods = new Set(METHODS.filter((method) => tried.has(method)));
        const { url, state, method, trip } = await signIn.start(
          await signIn.discover(target),
          methods,
          origin,
        );
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
    async finish({ account: { toolId, userId }, data, state, parameters }) {
      try {
        if (!isTrip(data)) throw new SignInError(`the sign-in to ${service} began in another way`);
        const credential = await signIn.finish(data, state, parameters);
        return {
          ok: true,
          name: credential.account,
          async store() {
            await credentials.set(toolId, userId, credential);
            await forgetTwins({ toolId, userId }, credential);
          },
          undo: () => signIn.revoke(credential),
        };
      } catch (error) {
        return faultOf(error);
      }
    },
  };
}

/** Whether this is what `start` has handed out. It comes from the store of the page, which nobody else writes. */
function isTrip(data: unknown): data is SignInTrip {
  return isObject(data) && isObject(data["server"]) && isObject(data["client"]) && "codeVerifier" in data;
}

function faultOf(error: unknown): AccountFault {
  if (!(error instanceof SignInError)) return { ok: false, reason: "unavailable", error };
  const { code, isNotSetUp } = error;
  if (isNotSetUp) return { ok: false, reason: "not-set-up", error };
  return { ok: false, reason: code === "access_denied" ? "denied" : "unavailable", code, error };
}

/** The user comes back to the page without having been sent back, and there is no other way to try. */
function unreadDocument({ service, server, client }: SignInTrip): SignInError {
  return new SignInError(
    `a person left for ${server.issuer}, to sign in to ${service}, and did not come back. If it cannot read the client id metadata document of this page, ${client.clientId}, make the page public on https, or register a client there by hand.`,
  );
}
