import { type KitLanguage, kitLanguageOf } from "../language.ts";
import type { AccountWords } from "./account-words.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";

const WORDS: Readonly<Record<KitLanguage, AccountWords>> = { ar, de, en, es, fr, ja };

/** What cards about accounts say in the first of these languages that the kit has words in, or in English. */
export const accountWords = (languages: readonly string[]): AccountWords => WORDS[kitLanguageOf(languages)];
