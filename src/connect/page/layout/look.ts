import { acceptedLanguages } from "../../../base/accept-language.ts";
import type { Cookies } from "../cookies.ts";

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
