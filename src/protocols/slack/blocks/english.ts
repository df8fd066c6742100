import type { Catalogue } from "../../../words/cards/catalogue.ts";
import { en } from "../../../words/cards/en.ts";
import { slackEn } from "../../../words/slack/en.ts";
import type { SlackWords } from "../../../words/slack/slack-words.ts";

/** The words of messages and modals, in one language. */
export interface SlackLanguage {
  readonly catalogue: Catalogue;
  readonly words: SlackWords;
}

/** Apart from the other languages, which an app that uses the functions alone does not load. */
export const english: SlackLanguage = { catalogue: en, words: slackEn };
