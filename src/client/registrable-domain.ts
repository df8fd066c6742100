import { getDomain } from "tldts";

/** `elicit-kit/registrable-domain`: the registrable domain of a host, by the Public Suffix List. Needs `tldts`: `npm install tldts`. */

/**
 * Returns the registrable domain of a host by the Public Suffix List, for the `getRegistrableDomain` option of
 * `inspectUrl`: `example.co.uk` for `login.example.co.uk`. Includes suffixes that companies have registered, because
 * `me.github.io` and `you.github.io` have different owners. `undefined`: the host is an IP address, a public suffix, or a
 * name of one label. Never throws.
 *
 * It has its own entry, `elicit-kit/registrable-domain`, because the list is larger than the rest of the client. Needs
 * the package `tldts`.
 *
 * @example
 * inspectUrl(request.url, { getRegistrableDomain });
 */
export function getRegistrableDomain(asciiHost: string): string | undefined {
  return getDomain(asciiHost, { allowPrivateDomains: true }) ?? undefined;
}
