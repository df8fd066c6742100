/** Cookies of the hosted page: this host only, not readable by scripts, sent when a provider sends the person back. */
export interface Cookies {
  read(request: Request, name: string): string | undefined;
  /** Value of a `Set-Cookie` header. Without `maxAgeSeconds` the cookie goes with the browser session. */
  write(name: string, value: string, maxAgeSeconds?: number): string;
  /** Value of the `Set-Cookie` header that removes it. */
  remove(name: string): string;
}

/**
 * `__Host-` makes browsers refuse the name from any other host, subdomains too, so that nobody plants one. It asks for
 * https; a page on plain http, which only a loopback address may be, does without.
 */
export function createCookies(origin: URL): Cookies {
  const isSecure = origin.protocol === "https:";
  const prefix = isSecure ? "__Host-" : "";
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read(request, name) {
      const header = request.headers.get("cookie") ?? "";
      // Nothing but what browsers put between pairs is cut off: a neighbouring subdomain may set a name that has the
      // prefix behind some other kind of space.
      const pairs = header.split(/;[ \t]*/);
      return pairs
        .find((pair) => pair.startsWith(`${prefix}${name}=`))
        ?.slice(prefix.length + name.length + 1);
    },
    write(name, value, maxAgeSeconds) {
      const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
      return `${prefix}${name}=${value}${attributes}${age}`;
    },
    remove: (name) => `${prefix}${name}=${attributes}; Max-Age=0`,
  };
}
