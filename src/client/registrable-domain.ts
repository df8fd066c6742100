import { getDomain } from "tldts";

/** `elicit-kit/registrable-domain`: the registrable domain of a host, by the Public Suffix List. Needs `tldts`. */

/**
 * The registrable domain of a host by the Public Suffix List, for the option of the same name of `inspectUrl`:
 * `example.co.uk` of `login.example.co.uk`. Suffixes that companies registered count as well, because whoever owns
 * `me.github.io` is not whoever owns `you.github.io`. `undefined`: the host is an IP address, a public suffix itself, or a
 * name of one label. Throws nothing.
 *
 * An entry of its own (`elicit-kit/registrable-domain`), because the list is larger than the rest of the client; it
 * needs the package `tldts`.
 *
 * @example
 * inspectUrl(request.url, { getRegistrableDomain });
 */
export function getRegistrableDomain(asciiHost: string): string | undefined {
  return getDomain(asciiHost, { allowPrivateDomains: true }) ?? undefined;
}
