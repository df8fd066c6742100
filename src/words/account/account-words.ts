import { type KitLanguage, kitLanguageOf } from "../language.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";

/** What an agent needs of the user for a call. */
export interface AccountNeed {
  /** Name of the agent that asks. */
  readonly asker: string;
  readonly service: string;
  readonly credential: "account" | "api-key";
  /** What the call does: the title of its tool. */
  readonly action?: string | undefined;
  /** The rights that the user's credential lacks, as a list. Absent if there is no credential yet. */
  readonly moreRights?: string | undefined;
}

/** The message of a card that asks for an account, in one language. */
export type AccountWords = (need: AccountNeed) => string;

const WORDS: Readonly<Record<KitLanguage, AccountWords>> = { ar, de, en, es, fr, ja };

/** The message in the first of these languages that the kit has words in, or in English. */
export function accountMessage(need: AccountNeed, languages: readonly string[]): string {
  return WORDS[kitLanguageOf(languages)](need);
}
