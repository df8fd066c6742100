/** Cookies of the hosted page: this host only, not readable by scripts, sent when a provider sends the person back. */
export interface Cookies {
  read(request: Request, name: string): string | undefined;
  /** The cookies whose names begin with `stem`, by the rest of their names. */
  readAll(request: Request, stem: string): ReadonlyMap<string, string>;
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

  function readAll(request: Request, stem: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const start = prefix + stem;
    // Nothing but what browsers put between pairs is cut off: a neighbouring subdomain may set a name that has the
    // prefix behind some other kind of space.
    for (const pair of (request.headers.get("cookie") ?? "").split(/;[ \t]*/)) {
      const end = pair.indexOf("=");
      const rest = pair.slice(start.length, Math.max(end, start.length));
      if (pair.startsWith(start) && end >= start.length && !found.has(rest))
        found.set(rest, pair.slice(end + 1));
    }
    return found;
  }

  return {
    readAll,
    read: (request, name) => readAll(request, name).get(""),
    write(name, value, maxAgeSeconds) {
      const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
      return `${prefix}${name}=${value}${attributes}${age}`;
    },
    remove: (name) => `${prefix}${name}=${attributes}; Max-Age=0`,
  };
}
