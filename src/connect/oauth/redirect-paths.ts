import { withoutSlash } from "../../base/urls.ts";
import type { OAuthProvider } from "./oauth-provider.ts";
import { KitError } from "../../contract/kit-error.ts";

/** A plain path: no host, no query, no router pattern, no `..`. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+\/?$/;

export function redirectPathOf(provider: OAuthProvider): string {
  return provider.redirectPath ?? "/auth/callback";
}

/**
 * Returns the redirect paths of the providers. Two providers on one path are refused: one could redirect users to the
 * other, and would then get the other's code (RFC 9700, 4.4). The `iss` parameter would distinguish them too, but not all
 * providers send it, and only at sign-in. Separate paths can be checked at the start.
 *
 * @param providers by tool id
 */
export function redirectPathsOf(providers: ReadonlyMap<string, OAuthProvider>): ReadonlySet<string> {
  const paths = new Set<string>();
  const owners = new Map<string, { toolId: string; issuer: string }>();
  for (const [toolId, provider] of providers) {
    const path = redirectPathOf(provider);
    if (!PATH.test(path)) {
      throw new KitError(
        `elicit-kit: the redirectPath of ${toolId} must be a path such as "/auth/callback/${toolId}", of letters, digits and "- . _ ~". This is not: ${JSON.stringify(path)}`,
      );
    }
    const { href: issuer } = new URL(provider.issuer);
    const key = withoutSlash(path);
    const owner = owners.get(key);
    if (owner !== undefined && owner.issuer !== issuer) {
      throw new KitError(
        `elicit-kit: ${owner.toolId} and ${toolId} have different issuers and the same redirectPath ("${path}"), so one provider could collect the codes of the other. Give each a path of its own, such as redirectPath: "/auth/callback/${toolId}", and register it with the provider.`,
      );
    }
    owners.set(key, { toolId, issuer });
    paths.add(path);
  }
  return paths;
}
