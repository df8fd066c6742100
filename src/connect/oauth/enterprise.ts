import * as oauth from "oauth4webapi";
import type { Clock } from "../../base/clock.ts";
import { KitError } from "../../contract/kit-error.ts";
import { type Obtained, isSendable } from "../ports/credentials.ts";
import type { OAuthClientInfo } from "../ports/client-registrations.ts";
import type { ServerMetadata } from "./authorization-server.ts";
import { type SignInPlan, credentialOf } from "./oauth-client.ts";
import type { OAuthHttp } from "./oauth-http.ts";
import { connectToIssuer } from "./operator-issuer.ts";
import { clientAuthOf } from "./registered-client.ts";
import { SignInError, exchangeError } from "./sign-in-error.ts";

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";
export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The identity provider of a company, which decides what its users may connect to. */
export interface Enterprise extends OAuthClientInfo {
  /** The issuer of the identity provider. Your app is its client, with `clientId` and `clientSecret`. */
  issuer: string;
  /**
   * Returns the ID token that the identity provider gave your app when this user signed in. `undefined`: the user is not of
   * this company, and is asked as others are.
   */
  identityAssertion: (userId: string) => Promise<string | undefined>;
  /**
   * Who can change a refusal. The model names them to the user.
   * @default "the administrator of their company"
   */
  administrator?: string | undefined;
  /** For calls to the identity provider. @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

/** A sign-in without the user (MCP Enterprise-Managed Authorization). */
export interface EnterpriseSignIn {
  /** `undefined`: the user is not of this company. Rejects with a `SignInError`. */
  signIn(
    plan: SignInPlan & { readonly resource: string },
    options: { userId: string; client: OAuthClientInfo; http: OAuthHttp },
  ): Promise<Obtained>;
}

/**
 * Exchanges the user's ID token at the identity provider for a grant for one server (RFC 8693), and the grant at the
 * authorization server of that server for a token (RFC 7523).
 */
export function createEnterpriseSignIn(enterprise: Enterprise, clock: Clock): EnterpriseSignIn {
  const { issuer, identityAssertion, fetch } = enterprise;
  const { administrator = "the administrator of their company" } = enterprise;
  const { http: own, oauth: provider } = connectToIssuer(issuer, { fetch, readsIdToken: false, clock });

  /** The grant for one server, from the identity provider. */
  async function grantFor(idToken: string, { service, server }: SignInPlan, more: Record<string, string>) {
    const metadata = await provider.metadata(issuer, service, "operator");
    const parameters = {
      ...more,
      requested_token_type: ID_JAG,
      audience: server.issuer,
      subject_token: idToken,
      subject_token_type: ID_TOKEN,
    };
    try {
      const granted = await tokensFor(
        { server: metadata, client: enterprise, http: own },
        TOKEN_EXCHANGE,
        parameters,
      );
      const assertion = granted.access_token;
      if (granted["issued_token_type"] !== ID_JAG || !isSendable(assertion)) {
        throw new KitError("elicit-kit: its reply is no grant for another authorization server");
      }
      return assertion;
    } catch (error) {
      provider.forget(issuer);
      throw exchangeError(service, issuer, error);
    }
  }

  return {
    async signIn(plan, { userId, client, http }) {
      const idToken = await identityAssertion(userId);
      if (idToken === undefined) return undefined;
      const { service, server, resource, scopes } = plan;
      const scope = scopes.join(" ");
      const asked = { resource, ...(scope !== "" && { scope }) };
      try {
        const assertion = await grantFor(idToken, plan, asked);
        const tokens = await tokensFor({ server, client, http }, JWT_BEARER, { ...asked, assertion });
        return credentialOf(tokens, scope, clock.now());
      } catch (error) {
        const fault = error instanceof SignInError ? error : exchangeError(service, server.issuer, error);
        if (fault.code === "access_denied") return { refusedBy: administrator };
        throw fault;
      }
    },
  };
}

/** Asks a token endpoint for the tokens of a grant. */
async function tokensFor(
  { server, client: info, http }: { server: ServerMetadata; client: OAuthClientInfo; http: OAuthHttp },
  grantType: string,
  parameters: Record<string, string>,
): Promise<oauth.TokenEndpointResponse> {
  const client: oauth.Client = { client_id: info.clientId };
  const auth = clientAuthOf(server, info);
  const response = await oauth.genericTokenEndpointRequest(server, client, auth, grantType, parameters, http);
  // A grant for another server is no access token (RFC 8693, 2.2.1). `credentialOf` takes bearer tokens only.
  const recognizedTokenTypes = { n_a: () => {} };
  return oauth.processGenericTokenEndpointResponse(server, client, response, { recognizedTokenTypes });
}
