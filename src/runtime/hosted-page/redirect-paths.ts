import type { OAuthProvider } from "./oauth.ts";
import type { Connection } from "./page-request.ts";

/** A plain path: no host, no query, nothing that a router or a browser reads as a pattern or as a step up. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+\/?$/;

export function redirectPathOf(provider: OAuthProvider): string {
  return provider.redirectPath ?? "/auth/callback";
}

/**
 * The paths that providers send people back to. Two providers on one path are refused: one of them could send people on
 * to the other, and the code of the other would then be handed to the first (RFC 9700, 4.4). That a provider names
 * itself in its answers (`iss`) would tell them apart as well, but only what it says of itself would vouch for that,
 * and only when somebody already connects; a path of its own holds from the start.
 *
 * @param connections by tool id
 */
export function redirectPathsOf(connections: ReadonlyMap<string, Connection>): ReadonlySet<string> {
  const paths = new Set<string>();
  const owners = new Map<string, { toolId: string; issuer: string }>();
  for (const [toolId, connection] of connections) {
    if (connection.kind !== "oauth") continue;
    const { provider } = connection;
    const path = redirectPathOf(provider);
    if (!PATH.test(path)) {
      throw new Error(
        `elicit-kit: the redirectPath of ${toolId} must be a path such as "/auth/callback/${toolId}", of letters, digits and "- . _ ~". This is none: ${JSON.stringify(path)}`,
      );
    }
    const { href: issuer } = new URL(provider.issuer);
    const key = path.replace(/\/$/, "");
    const owner = owners.get(key);
    if (owner !== undefined && owner.issuer !== issuer) {
      throw new Error(
        `elicit-kit: ${owner.toolId} and ${toolId} have different issuers and the same redirectPath ("${path}"), so one provider could collect the codes of the other. Give each a path of its own, such as redirectPath: "/auth/callback/${toolId}", and register it with the provider.`,
      );
    }
    owners.set(key, { toolId, issuer });
    paths.add(path);
  }
  return paths;
}
