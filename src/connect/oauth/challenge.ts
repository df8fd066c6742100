import * as oauth from "oauth4webapi";
import type { ElicitationRecord } from "../../runtime/internal.ts";
import type { CredentialStore } from "../ports/credentials.ts";

/** The `WWW-Authenticate` header of a refusal. Untrusted, and limited in length. */
export interface BearerChallenge {
  /** The URL of its protected resource metadata (RFC 9728, section 5.1). */
  readonly resourceMetadata?: string | undefined;
  /** The scopes that the refused call needs. */
  readonly scopes: readonly string[];
  /** The error code, such as `insufficient_scope` (RFC 6750, section 3.1). */
  readonly error?: string | undefined;
}

/** Some servers append their address to a bare `Bearer` as if it had parameters already. */
const COMMA_AFTER_BEARER = /(^|,)\s*Bearer\s*,\s*(?=[\w-]+\s*=)/gi;
const MAX_HEADER_LENGTH = 8 * 1024;
const MAX_URL_LENGTH = 2000;
const MAX_SCOPES = 50;
const MAX_SCOPE_LENGTH = 200;

/** Reads the Bearer challenge of a `WWW-Authenticate` header. Returns `undefined` if there is none. */
export async function readChallenge(header: string | null): Promise<BearerChallenge | undefined> {
  if (header === null || header.length > MAX_HEADER_LENGTH) return undefined;
  const found = await challengesOf(header.replaceAll(COMMA_AFTER_BEARER, "$1 Bearer "));
  const bearers = found.filter(({ scheme }) => scheme === "bearer");
  const bearer = bearers.find(({ parameters }) => parameters.resource_metadata !== undefined) ?? bearers[0];
  if (bearer === undefined) return undefined;
  const { resource_metadata: url, error, scope } = bearer.parameters;
  return {
    scopes: scopesOf(scope),
    resourceMetadata: looksLikeUrl(url ?? "") ? url : undefined,
    error: /^[a-z_]{1,40}$/.test(error ?? "") ? error : undefined,
  };
}

/** Whether an untrusted text has only URL characters (RFC 3986) and a limited length, because the log quotes it. */
export function looksLikeUrl(text: string): boolean {
  return text.length <= MAX_URL_LENGTH && /^[\x21-\x7e]+$/.test(text);
}

/** The valid scopes in a text or a list (RFC 6749, appendix A.4). GitHub and others separate them by commas. */
export function scopesOf(value: unknown): readonly string[] {
  const list: readonly unknown[] =
    typeof value === "string" ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [];
  const scopes = list.filter(
    (scope): scope is string =>
      typeof scope === "string" &&
      scope.length <= MAX_SCOPE_LENGTH &&
      /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope),
  );
  return [...new Set(scopes)].slice(0, MAX_SCOPES);
}

/** `oauth4webapi` does not export its parser. A request that is never sent runs the parser. */
async function challengesOf(header: string): Promise<readonly oauth.WWWAuthenticateChallenge[]> {
  const response = new Response(null, { status: 401, headers: { "www-authenticate": header } });
  try {
    await oauth.protectedResourceRequest(
      "none",
      "GET",
      new URL("https://challenge.invalid"),
      undefined,
      null,
      {
        [oauth.customFetch]: async () => response,
      },
    );
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.cause;
    throw error;
  }
  return [];
}

/**
 * For `isCompleted` of `createRuntime`: whether the account of a request is connected, for the right server and with the
 * requested scopes. So "I've finished" does not end a request for more scopes before they are granted. A credential
 * without `scope` has none of them. Credentials from the hosted page always contain the granted scopes.
 *
 * A request for an additional account (`isNew`) is ended only by the page that connects it, because a request of another
 * chat may have connected an account in the same place.
 */
export function isConnected(
  credentials: Pick<CredentialStore, "get">,
): (record: Pick<ElicitationRecord, "tool" | "user" | "signIn">) => Promise<boolean> {
  return async ({ tool, user, signIn }) => {
    if (tool === undefined || tool.isNew === true) return false;
    const credential = await credentials.get(tool.id, user.id);
    if (credential === undefined) return false;
    const { binding, scope } = credential;
    if (signIn === undefined) return true;
    // The credential of a configured provider is not bound to a server.
    if (binding !== undefined && binding.serverUrl !== signIn.url) return false;
    const granted = new Set(scopesOf(scope));
    return scopesOf(signIn.scope).every((asked) => granted.has(asked));
  };
}
