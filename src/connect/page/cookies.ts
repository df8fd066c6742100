import { acceptedLanguages } from "../../base/accept-language.ts";

/**
 * The cookies of the hosted page: for this host only, hidden from scripts, and sent when the user returns from a
 * provider.
 */
export interface Cookies {
  read(request: Request, name: string): string | undefined;
  /** The cookies whose names begin with `stem`, by the rest of the name. */
  readAll(request: Request, stem: string): ReadonlyMap<string, string>;
  /** The value of a `Set-Cookie` header. Without `maxAgeSeconds`, the cookie lasts for the browser session. */
  write(name: string, value: string, maxAgeSeconds?: number): string;
  /** The value of the `Set-Cookie` header that removes it. */
  remove(name: string): string;
}

/**
 * Browsers accept a name with `__Host-` only from this host, so no other host, not even a subdomain, can set it. The
 * prefix requires https. A page on plain http, which only a loopback address may use, has no prefix.
 */
export function createCookies(origin: URL): Cookies {
  const isSecure = origin.protocol === "https:";
  const prefix = isSecure ? "__Host-" : "";
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;

  function readAll(request: Request, stem: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const start = prefix + stem;
    // Only trims the characters that browsers put between pairs. A sibling subdomain may set a name with the prefix after
    // another kind of space.
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

const LOOK_COOKIE = "elicit-look";
const LOOK = /^(?<lang>[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3})?\.(?<theme>light|dark)?$/i;

/** The language and theme for a browser. */
export interface Look {
  /** BCP 47 tags, best first. */
  readonly languages: readonly string[];
  /** Absent: the setting of the browser. */
  readonly theme: string | undefined;
  /** A header that keeps the settings of the link for the following pages. */
  readonly setCookie?: string | undefined;
}

/**
 * The page looks like the chat that opened it: a chat adds its language and theme to the link (`lang`, `theme`). The
 * following pages have no such link, so a cookie keeps both. The author of a link can choose them, so nothing else
 * depends on them.
 */
export function lookOf(request: Request, cookies: Cookies): Look {
  const { searchParams } = new URL(request.url);
  const linked = `${searchParams.get("lang") ?? ""}.${searchParams.get("theme") ?? ""}`;
  const isLinked = linked !== "." && LOOK.test(linked);
  const kept = isLinked ? linked : (cookies.read(request, LOOK_COOKIE) ?? ".");
  const { lang, theme } = LOOK.exec(kept)?.groups ?? {};
  const accepted = acceptedLanguages(request.headers.get("accept-language"));
  return {
    languages: lang === undefined ? accepted : [lang, ...accepted],
    theme: theme?.toLowerCase(),
    setCookie: isLinked ? cookies.write(LOOK_COOKIE, linked) : undefined,
  };
}
