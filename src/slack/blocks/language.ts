import { ar } from "../../catalogues/ar.ts";
import type { Catalogue } from "../../catalogues/catalogue.ts";
import { de } from "../../catalogues/de.ts";
import { en } from "../../catalogues/en.ts";
import { es } from "../../catalogues/es.ts";
import { fr } from "../../catalogues/fr.ts";
import { ja } from "../../catalogues/ja.ts";
import { slackAr } from "./words/ar.ts";
import { slackDe } from "./words/de.ts";
import { slackEn } from "./words/en.ts";
import { slackEs } from "./words/es.ts";
import { slackFr } from "./words/fr.ts";
import { slackJa } from "./words/ja.ts";
import type { SlackWords } from "./words/slack-words.ts";

/** The words of messages and modals, in one language. */
export interface SlackLanguage {
  readonly catalogue: Catalogue;
  readonly words: SlackWords;
}

/** English. */
export const english: SlackLanguage = { catalogue: en, words: slackEn };

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
