import type { Catalogue } from "../react/catalogues/catalogue.ts";
import { en } from "../react/catalogues/en.ts";
import { type SlackWords, slackEn } from "./words.ts";

/** The words of messages and modals, in one language. */
export interface SlackLanguage {
  readonly catalogue: Catalogue;
  readonly words: SlackWords;
}

/** English. */
export const english: SlackLanguage = { catalogue: en, words: slackEn };
