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
import type { PageWords } from "./page-words.ts";

const LANGUAGES = { ar, de, en, es, fr, ja } as const;

/** The words of the cards, which the page uses for forms. */
const CATALOGUES: Readonly<Record<PageLanguage, Catalogue>> = {
  ar: arCards,
  de: deCards,
  en: enCards,
  es: esCards,
  fr: frCards,
  ja: jaCards,
};

/** A language of the hosted page. */
export type PageLanguage = keyof typeof LANGUAGES;

/** A text in one language for everybody, or by language. Without the language of a person, they get English. */
export type LocalText = string | (Readonly<Partial<Record<PageLanguage, string>>> & { readonly en: string });

/** The words in the language that a browser prefers (`Accept-Language`, RFC 9110, 12.5.4), or English. */
export function wordsFor(acceptLanguage: string | null): PageWords {
  return LANGUAGES[preferredLanguage(acceptLanguage ?? "")];
}

/** The words of the cards in the language of a page. */
export function catalogueFor({ locale }: PageWords): Catalogue {
  return isLanguage(locale) ? CATALOGUES[locale] : enCards;
}

export function localize(text: LocalText, { locale }: PageWords): string {
  if (typeof text === "string") return text;
  return (isLanguage(locale) ? text[locale] : undefined) ?? text.en;
}

function preferredLanguage(header: string): PageLanguage {
  let best: { language: PageLanguage; weight: number } = { language: "en", weight: 0 };
  // Longer headers are not sent by browsers.
  for (const range of header.slice(0, 1000).split(",")) {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const language = tag.split("-", 1)[0] ?? "";
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    if (isLanguage(language) && weight > best.weight) best = { language, weight };
  }
  return best.language;
}

function isLanguage(tag: string): tag is PageLanguage {
  return Object.hasOwn(LANGUAGES, tag);
}
