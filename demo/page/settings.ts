import { type Catalogue } from "elicit-kit";
import { en } from "elicit-kit/catalogues/en";
import { words as english } from "./words/en.ts";
import type { Words } from "./words/en.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Each language under its own name. */
export const LANGUAGES = {
  en: "English",
  ar: "العربية",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  ja: "日本語",
} as const;
export type Language = keyof typeof LANGUAGES;

/** A language with the texts of the page and of the cards. */
export interface Spoken {
  readonly language: Language;
  readonly words: Words;
  readonly catalogue: Catalogue;
}

export const ENGLISH: Spoken = { language: "en", words: english, catalogue: en };

/** Loads a language. Each language is a separate file, which the page loads only for that language. */
export async function speak(language: Language): Promise<Spoken> {
  switch (language) {
    case "en":
      return ENGLISH;
    case "ar":
      return {
        language,
        words: (await import("./words/ar.ts")).words,
        catalogue: (await import("elicit-kit/catalogues/ar")).ar,
      };
    case "de":
      return {
        language,
        words: (await import("./words/de.ts")).words,
        catalogue: (await import("elicit-kit/catalogues/de")).de,
      };
    case "es":
      return {
        language,
        words: (await import("./words/es.ts")).words,
        catalogue: (await import("elicit-kit/catalogues/es")).es,
      };
    case "fr":
      return {
        language,
        words: (await import("./words/fr.ts")).words,
        catalogue: (await import("elicit-kit/catalogues/fr")).fr,
      };
    case "ja":
      return {
        language,
        words: (await import("./words/ja.ts")).words,
        catalogue: (await import("elicit-kit/catalogues/ja")).ja,
      };
  }
}

const THEME = "elicit-kit-demo theme";
const LANGUAGE = "elicit-kit-demo language";

/** A browser that forbids storage throws. The page then keeps no settings. */
function withStorage(use: (storage: Storage) => string | null | void): string | null {
  try {
    return use(localStorage) ?? null;
  } catch {
    return null;
  }
}

/** The language that the user has chosen, otherwise the one of the browser. */
export function chosenLanguage(): Language {
  const wished = [withStorage((kept) => kept.getItem(LANGUAGE)), ...navigator.languages].map(
    (tag) => tag?.split("-")[0],
  );
  return wished.find(isLanguage) ?? "en";
}

export function chosenTheme(): Theme {
  const kept = withStorage((storage) => storage.getItem(THEME));
  return THEMES.find((theme) => theme === kept) ?? "system";
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}

export function applyLanguage({ language, catalogue }: Spoken): void {
  document.documentElement.lang = language;
  document.documentElement.dir = catalogue.dir;
}

export function rememberTheme(theme: Theme): void {
  withStorage((storage) => storage.setItem(THEME, theme));
}

export function rememberLanguage(language: Language): void {
  withStorage((storage) => storage.setItem(LANGUAGE, language));
}

function isLanguage(tag: string | null | undefined): tag is Language {
  return typeof tag === "string" && Object.hasOwn(LANGUAGES, tag);
}
