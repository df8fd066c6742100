import { describe, expect, test } from "vitest";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { CITY, asking } from "../../../test/stages/test-runtime.ts";
import { slackLanguageFor } from "../index.ts";
import { buttonsOf } from "../testing/person.ts";
import { slackAr, slackDe, slackEs, slackFr, slackJa } from "../words/languages.ts";
import { type SlackWords, slackEn } from "../words/slack-words.ts";

/** Each sentence by its name. A sentence with an argument gets one that the test can find again. */
const sentences = (words: SlackWords): [string, string][] =>
  Object.entries(words).map(([name, sentence]) => [
    name,
    typeof sentence === "function" ? sentence(name === "comeBack" ? 4242 : "4242") : sentence,
  ]);

test.each([
  ["ar", slackAr],
  ["de", slackDe],
  ["es", slackEs],
  ["fr", slackFr],
  ["ja", slackJa],
])("%s has a translation of every sentence, with the names and numbers of the English one", (_, words) => {
  const english = new Map(sentences(slackEn));
  const own = sentences(words);
  expect(own.map(([name]) => name)).toEqual([...english.keys()]);
  for (const [name, sentence] of own) {
    expect([name, sentence]).not.toEqual([name, english.get(name)]);
    expect([name, sentence.trim()]).not.toEqual([name, ""]);
    expect([name, sentence.includes("4242")]).toEqual([name, english.get(name)?.includes("4242")]);
  }
});

test.each([
  ["de-DE", "de"],
  ["es-LA", "es"],
  ["fr_CA", "fr"],
  ["JA-jp", "ja"],
  ["ar", "ar"],
  ["en-GB", "en"],
  ["pt-BR", "en"],
  ["", "en"],
  [undefined, "en"],
  ["constructor", "en"],
])("the locale %s gets the texts in %s", (locale, language) => {
  expect(slackLanguageFor(locale).catalogue.locale).toBe(language);
});

describe("a user", () => {
  const labels = (message: Parameters<typeof buttonsOf>[0]) =>
    JSON.stringify(buttonsOf(message).map(({ text }) => text));

  test("reads the request and the notices to others in the language of their own Slack, which the agent receives", async () => {
    const languages: (readonly string[])[] = [];
    const stage = createSlackStage(
      (turn) => {
        languages.push(turn.languages);
        return asking(CITY)(turn);
      },
      { surface: { userOf: ({ user }) => ({ id: user }) } },
    );
    const { slack, ops } = stage;
    const [dora, yuki] = [
      slack.person({ name: "Dora", locale: "de-DE" }),
      slack.person({ name: "Yuki", locale: "ja-JP" }),
    ];
    for (const person of [dora, yuki]) ops.members.add(person.id);
    const thread = await stage.ask("go", dora);
    const question = await stage.shown(thread, "Where to?");
    expect(labels(question)).toContain("Antworten …");
    expect(languages).toEqual([["de"]]);
    await yuki.press(question, "Antworten …");
    expect(slack.ephemerals.map(({ text }) => text)).toEqual([slackJa.notYours("<@UDORA>")]);
    await dora.press(question, "Antworten …");
    await dora.submit({ City: "Rom" });
    expect(await stage.until(() => question.text === "✓ Gesendet")).toBe(true);
    expect(slack.calls.filter(({ method }) => method === "users.info")).toHaveLength(2);
    expect(stage.errors).toEqual([]);
  });

  test("reads English if the app may not read locales, and nothing is logged", async () => {
    const stage = createSlackStage(asking(CITY), { surface: { userOf: ({ user }) => ({ id: user }) } });
    stage.slack.revokeScope("users:read");
    const dora = stage.slack.person({ name: "Dora", locale: "de-DE" });
    stage.ops.members.add(dora.id);
    const question = await stage.shown(await stage.ask("go", dora), "Where to?");
    expect(labels(question)).toContain("Answer…");
    expect(stage.errors).toEqual([]);
  });

  test("is looked up again after Slack has failed, and the failure is reported", async () => {
    const stage = createSlackStage(asking(CITY), { surface: { userOf: ({ user }) => ({ id: user }) } });
    const dora = stage.slack.person({ name: "Dora", locale: "de-DE" });
    stage.ops.members.add(dora.id);
    stage.slack.failNext("users.info", "fatal_error", 2);
    const question = await stage.shown(await stage.ask("go", dora), "Where to?");
    expect(labels(question)).toContain("Answer…");
    expect(stage.errors.map(String)).toEqual([
      expect.stringContaining("fatal_error"),
      expect.stringContaining("fatal_error"),
    ]);
    await dora.press(question, "Answer…");
    expect(JSON.stringify(dora.view()?.view)).toContain(slackLanguageFor("de").catalogue.cancel);
  });

  test("reads the language that languageOf returns, and English while it is too slow for Slack", async () => {
    let isSlow = false;
    const stage = createSlackStage(asking(CITY), {
      surface: {
        languageOf: async () => {
          if (isSlow) await new Promise<void>((resolve) => void stage.clock.after(10_000, resolve));
          return slackLanguageFor("fr");
        },
      },
    });
    const question = await stage.shown(await stage.ask(), "Where to?");
    expect(labels(question)).toContain("Répondre…");
    isSlow = true;
    await stage.during(stage.bob.press(question, "Répondre…"));
    expect(stage.slack.ephemerals).toMatchObject([{ text: slackEn.notYours("<@UADA>") }]);
    expect(stage.slack.failures).toEqual([]);
    expect(stage.slack.calls.filter(({ method }) => method === "users.info")).toEqual([]);
  });
});
