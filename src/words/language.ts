const LANGUAGES = ["ar", "de", "en", "es", "fr", "ja"] as const;

/** A language that the kit supports. */
export type KitLanguage = (typeof LANGUAGES)[number];

/** The first of these languages (BCP 47 tags, best first) that the kit supports, or English. */
export function kitLanguageOf(languages: readonly string[]): KitLanguage {
  for (const tag of languages) {
    const language = tag.toLowerCase().split("-", 1)[0];
    const known = LANGUAGES.find((name) => name === language);
    if (known !== undefined) return known;
  }
  return "en";
}

const MINUTE_MS = 60_000;

/** "in 8 minutes", in the language of `locale`. */
export function inMinutes(ms: number, locale: string): string {
  return new Intl.RelativeTimeFormat(locale).format(Math.max(1, Math.ceil(ms / MINUTE_MS)), "minute");
}
