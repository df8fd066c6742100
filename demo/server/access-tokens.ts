import {
  type AuthInfo,
  type AuthMetadataOptions,
  OAuthError,
  OAuthErrorCode,
} from "@modelcontextprotocol/server";
import * as oauth4webapi from "oauth4webapi";

export type AuthorizationServer = AuthMetadataOptions["oauthMetadata"] & oauth4webapi.AuthorizationServer;

/** Reads the metadata of the OAuth server. */
export async function discover(issuer: string): Promise<AuthorizationServer> {
  const url = new URL(issuer);
  const response = await oauth4webapi.discoveryRequest(url, {
    algorithm: "oauth2",
    [oauth4webapi.allowInsecureRequests]: true,
  });
  const metadata = await oauth4webapi.processDiscoveryResponse(url, response);
  const { authorization_endpoint, token_endpoint, response_types_supported } = metadata;
  if (authorization_endpoint === undefined || token_endpoint === undefined || !response_types_supported) {
    throw new Error(
      `elicit-kit: ${issuer} is no OAuth server that people can sign in to; its metadata is incomplete`,
    );
  }
  return { ...metadata, authorization_endpoint, token_endpoint, response_types_supported };
}

/** Verifies signature, issuer, audience and lifetime (RFC 9068). The caller checks the scope. */
export async function verify(
  token: string,
  resource: URL,
  server: oauth4webapi.AuthorizationServer,
): Promise<AuthInfo> {
  const request = new Request(resource, { headers: { authorization: `Bearer ${token}` } });
  try {
    const { sub, client_id, exp, scope } = await oauth4webapi.validateJwtAccessToken(
      server,
      request,
      resource.href,
      {
        signingAlgorithms: ["ES256"],
        [oauth4webapi.clockTolerance]: 0,
        [oauth4webapi.allowInsecureRequests]: true,
      },
    );
    return {
      token,
      clientId: client_id,
      scopes: scope?.split(" ") ?? [],
      expiresAt: exp,
      resource,
      extra: { sub },
    };
  } catch (error) {
    if (
      error instanceof oauth4webapi.OperationProcessingError ||
      error instanceof oauth4webapi.UnsupportedOperationError
    ) {
      throw new OAuthError(OAuthErrorCode.InvalidToken, "The access token is not valid for this server");
    }
    throw error;
  }
}

/** The user of an access token, for the receipt. The service verifies the token itself. */
export function accountOf(accessToken: string): string | undefined {
  const [, claims = ""] = accessToken.split(".");
  const { sub }: { sub?: unknown } = JSON.parse(Buffer.from(claims, "base64url").toString() || "{}");
  return typeof sub === "string" ? sub : undefined;
}
