import type { Clock } from "../../../src/base/clock.ts";
import { type SlackLanguage, english } from "../blocks/text.ts";
import { type SlackInstallation, field } from "../wire/payload.ts";
import type { SlackPerson } from "./right-person.ts";
import { SlackApiError, type SlackClient } from "../wire/web-client.ts";
import { ar } from "../../../src/words/cards/ar.ts";
import { de } from "../../../src/words/cards/de.ts";
import { es } from "../../../src/words/cards/es.ts";
import { fr } from "../../../src/words/cards/fr.ts";
import { ja } from "../../../src/words/cards/ja.ts";
import { slackAr, slackDe, slackEs, slackFr, slackJa } from "../words/languages.ts";

/** Returns the texts for a user. */
export type LanguageOf = (person: SlackPerson, installation: SlackInstallation) => Promise<SlackLanguage>;

/** The app may not read locales, or cannot see this user: English without an error. */
const EXPECTED = new Set(["missing_scope", "user_not_found", "user_not_visible"]);
/** A request in English is better than one that arrives too late for Slack. */
const LONGEST_MS = 800;
const KEPT_MS = 60 * 60_000;
const MOST = 1000;

/**
 * Finds the language of a user: the result of `languageOf`, or the locale of their Slack. Resolves in time, with English
 * if necessary.
 */
export function createLanguageOf(options: {
  readonly clock: Clock;
  readonly languageOf: ((person: SlackPerson) => SlackLanguage | Promise<SlackLanguage>) | undefined;
  readonly clientOf: (installation: SlackInstallation) => Promise<SlackClient>;
  readonly onError: (error: unknown) => void;
}): LanguageOf {
  const { clock, languageOf, clientOf, onError } = options;
  const kept = new Map<string, { readonly language: Promise<SlackLanguage>; readonly until: number }>();

  async function ask(person: SlackPerson, installation: SlackInstallation): Promise<SlackLanguage> {
    const client = await clientOf(installation);
    const args = { user: person.user, include_locale: true };
    const { user } = await client.call("users.info", args, { maxWaitMs: 0 });
    return slackLanguageFor(field(user, "locale"));
  }

  function fromSlack(person: SlackPerson, installation: SlackInstallation): Promise<SlackLanguage> {
    const key = JSON.stringify([installation.enterprise, installation.team, person.team, person.user]);
    const known = kept.get(key);
    if (known !== undefined && clock.now() < known.until) return known.language;
    const language = ask(person, installation).catch((error: unknown) => {
      if (!(error instanceof SlackApiError && EXPECTED.has(error.code))) {
        kept.delete(key);
        onError(error);
      }
      return english;
    });
    kept.delete(key);
    kept.set(key, { language, until: clock.now() + KEPT_MS });
    const [oldest] = kept.keys();
    if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    return language;
  }

  async function find(person: SlackPerson, installation: SlackInstallation): Promise<SlackLanguage> {
    if (languageOf === undefined) return person.user === "" ? english : fromSlack(person, installation);
    try {
      return await languageOf(person);
    } catch (error) {
      onError(error);
      return english;
    }
  }

  return async (person, installation) => {
    let cancel: (() => void) | undefined;
    const late = new Promise<SlackLanguage>((resolve) => {
      cancel = clock.after(LONGEST_MS, () => resolve(english));
    });
    try {
      return await Promise.race([find(person, installation), late]);
    } finally {
      cancel?.();
    }
  };
}

const LANGUAGES: ReadonlyMap<string, SlackLanguage> = new Map([
  ["ar", { catalogue: ar, words: slackAr }],
  ["de", { catalogue: de, words: slackDe }],
  ["en", english],
  ["es", { catalogue: es, words: slackEs }],
  ["fr", { catalogue: fr, words: slackFr }],
  ["ja", { catalogue: ja, words: slackJa }],
]);

/**
 * The kit's texts for a locale such as `de-DE`: in Arabic, English, French, German, Japanese or Spanish, otherwise in
 * English.
 */
export function slackLanguageFor(locale: string | undefined): SlackLanguage {
  const [language = ""] = (locale ?? "").toLowerCase().split(/[-_]/, 1);
  return LANGUAGES.get(language) ?? english;
}
