import { ar } from "../../catalogues/ar.ts";
import { de } from "../../catalogues/de.ts";
import { es } from "../../catalogues/es.ts";
import { fr } from "../../catalogues/fr.ts";
import { ja } from "../../catalogues/ja.ts";
import { type SlackLanguage, english } from "./english.ts";
import { slackAr } from "./words/ar.ts";
import { slackDe } from "./words/de.ts";
import { slackEs } from "./words/es.ts";
import { slackFr } from "./words/fr.ts";
import { slackJa } from "./words/ja.ts";

const LANGUAGES: ReadonlyMap<string, SlackLanguage> = new Map([
  ["ar", { catalogue: ar, words: slackAr }],
  ["de", { catalogue: de, words: slackDe }],
  ["en", english],
  ["es", { catalogue: es, words: slackEs }],
  ["fr", { catalogue: fr, words: slackFr }],
  ["ja", { catalogue: ja, words: slackJa }],
]);

/** The kit's words for a locale such as `de-DE`: in Arabic, English, French, German, Japanese and Spanish, or in English. */
export function slackLanguageFor(locale: string | undefined): SlackLanguage {
  const [language = ""] = (locale ?? "").toLowerCase().split(/[-_]/, 1);
  return LANGUAGES.get(language) ?? english;
}
