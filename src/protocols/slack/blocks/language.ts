import { ar } from "../../../words/cards/ar.ts";
import { de } from "../../../words/cards/de.ts";
import { es } from "../../../words/cards/es.ts";
import { fr } from "../../../words/cards/fr.ts";
import { ja } from "../../../words/cards/ja.ts";
import { slackAr, slackDe, slackEs, slackFr, slackJa } from "../../../words/slack/languages.ts";
import { type SlackLanguage, english } from "./text.ts";

const LANGUAGES: ReadonlyMap<string, SlackLanguage> = new Map([
  ["ar", { catalogue: ar, words: slackAr }],
  ["de", { catalogue: de, words: slackDe }],
  ["en", english],
  ["es", { catalogue: es, words: slackEs }],
  ["fr", { catalogue: fr, words: slackFr }],
  ["ja", { catalogue: ja, words: slackJa }],
]);

/**
 * The kit's texts for a locale such as `de-DE`: in Arabic, English, French, German, Japanese or Spanish, otherwise in
 * English.
 */
export function slackLanguageFor(locale: string | undefined): SlackLanguage {
  const [language = ""] = (locale ?? "").toLowerCase().split(/[-_]/, 1);
  return LANGUAGES.get(language) ?? english;
}
