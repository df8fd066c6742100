import { ar as arCards } from "../cards/ar.ts";
import { ar } from "./ar.ts";
import { de as deCards } from "../cards/de.ts";
import { de } from "./de.ts";
import { en as enCards } from "../cards/en.ts";
import { en } from "./en.ts";
import { es as esCards } from "../cards/es.ts";
import { es } from "./es.ts";
import { fr as frCards } from "../cards/fr.ts";
import { fr } from "./fr.ts";
import { ja as jaCards } from "../cards/ja.ts";
import { ja } from "./ja.ts";
import type { Catalogue } from "../cards/catalogue.ts";
import { type KitLanguage, kitLanguageOf } from "../language.ts";
import type { PageWords } from "./en.ts";

const LANGUAGES: Readonly<Record<PageLanguage, PageWords>> = { ar, de, en, es, fr, ja };

/** The catalogues of the cards. The page uses them for forms. */
const CATALOGUES: Readonly<Record<PageLanguage, Catalogue>> = {
  ar: arCards,
  de: deCards,
  en: enCards,
  es: esCards,
  fr: frCards,
  ja: jaCards,
};

/** A language of the hosted page. */
export type PageLanguage = KitLanguage;

/** One text for all users, or one for each language. A user whose language is missing gets English. */
export type LocalText = string | (Readonly<Partial<Record<PageLanguage, string>>> & { readonly en: string });

/** The texts in the first of these languages that the page supports, or in English. */
export function wordsFor(languages: readonly string[]): PageWords {
  return LANGUAGES[kitLanguageOf(languages)];
}

/** The texts of the cards in the language of a page. */
export function catalogueFor({ locale }: PageWords): Catalogue {
  return CATALOGUES[kitLanguageOf([locale])];
}

export function localize(text: LocalText, { locale }: PageWords): string {
  if (typeof text === "string") return text;
  return text[kitLanguageOf([locale])] ?? text.en;
}
