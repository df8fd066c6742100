import type { Catalogue } from "../../../words/cards/catalogue.ts";
import { en } from "../../../words/cards/en.ts";
import { slackEn } from "../../../words/slack/en.ts";
import type { SlackWords } from "../../../words/slack/slack-words.ts";

/** The texts of messages and modals, in one language. */
export interface SlackLanguage {
  readonly catalogue: Catalogue;
  readonly words: SlackWords;
}

/** Separate from the other languages, so that an app that uses only the functions does not load those. */
export const english: SlackLanguage = { catalogue: en, words: slackEn };
