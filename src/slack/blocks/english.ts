import type { Catalogue } from "../../catalogues/catalogue.ts";
import { en } from "../../catalogues/en.ts";
import { slackEn } from "./words/en.ts";
import type { SlackWords } from "./words/slack-words.ts";

/** The words of messages and modals, in one language. */
export interface SlackLanguage {
  readonly catalogue: Catalogue;
  readonly words: SlackWords;
}

/** Apart from the other languages, which an app that uses the functions alone does not load. */
export const english: SlackLanguage = { catalogue: en, words: slackEn };
