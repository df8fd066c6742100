import type { PageWords } from "../../../words/page/page-words.ts";

/** A day as its reader writes it, in UTC: the page does not know where they are. */
export function dateOf({ locale }: Pick<PageWords, "locale">, at: number): string {
  return new Date(at).toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" });
}
