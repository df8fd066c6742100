import { expect, test } from "vitest";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import { slackLanguageFor, createLanguageOf } from "./person-language.ts";
import type { SlackInstallation } from "../wire/payload.ts";
import { createFakeSlack } from "../testing/index.ts";
import { createSlackClient } from "../wire/web-client.ts";

const HERE: SlackInstallation = { team: "T0ACME", enterprise: undefined, isOrgInstall: false };

function setUp(languageOf?: Parameters<typeof createLanguageOf>[0]["languageOf"]) {
  const clock = createManualClock();
  const slack = createFakeSlack({ app: async () => new Response(), clock, rateLimits: false });
  const errors: unknown[] = [];
  const slow = { ms: 0 };
  const client = createSlackClient({
    token: slack.token,
    clock,
    async fetch(input, init) {
      if (slow.ms > 0) await new Promise<void>((resolve) => void clock.after(slow.ms, resolve));
      return slack.fetch(input, init);
    },
  });
  const find = createLanguageOf({
    clock,
    languageOf,
    clientOf: async () => client,
    onError: (error) => errors.push(error),
  });
  const localeOf = async (
    person: { id: string; team: string },
    installation: SlackInstallation | undefined = HERE,
  ) => (await find({ user: person.id, team: person.team }, installation)).catalogue.locale;
  return { clock, slack, slow, errors, localeOf };
}

test("the locale of a user is read once an hour, even for simultaneous requests", async () => {
  const { clock, slack, localeOf } = setUp();
  const dora = slack.person({ name: "Dora", locale: "de-DE" });
  expect(await Promise.all([localeOf(dora), localeOf(dora), localeOf(dora)])).toEqual(["de", "de", "de"]);
  await clock.advanceAsync(60 * 60_000 - 1);
  expect(await localeOf(dora)).toBe("de");
  expect(slack.calls).toHaveLength(1);
  await clock.advanceAsync(1);
  await localeOf(dora);
  expect(slack.calls).toHaveLength(2);
});

test("users with the same id in two workspaces each have their own locale", async () => {
  const { slack, localeOf } = setUp();
  const dora = slack.person({ name: "Dora", locale: "de-DE" });
  await localeOf(dora);
  await localeOf({ id: dora.id, team: "T9OTHER" });
  await localeOf(dora, { ...HERE, team: "T8THIRD" });
  expect(slack.calls).toHaveLength(3);
});

test("of 1,001 users the locale of the first is read again, and those of the others are not", async () => {
  const { slack, localeOf } = setUp();
  const people = Array.from({ length: 1001 }, (_, index) => slack.person({ name: `P${index}` }));
  for (const person of people) await localeOf(person);
  await localeOf(people[1000]!);
  await localeOf(people[1]!);
  expect(slack.calls).toHaveLength(1001);
  await localeOf(people[0]!);
  expect(slack.calls).toHaveLength(1002);
});

test("a payload without a user gets English and no call to Slack", async () => {
  const { slack, localeOf } = setUp();
  expect(await localeOf({ id: "", team: "" })).toBe("en");
  expect(slack.calls).toHaveLength(0);
});

test("a user whom the app may not see reads English, and nothing is reported", async () => {
  const { errors, slack, localeOf } = setUp();
  expect(await localeOf({ id: "UNOBODY", team: "T0ACME" })).toBe("en");
  expect(await localeOf({ id: "UNOBODY", team: "T0ACME" })).toBe("en");
  expect(slack.calls).toHaveLength(1);
  expect(errors).toEqual([]);
});

test("while Slack is slow a user reads English, and their own language once Slack has replied", async () => {
  const { clock, slack, slow, errors, localeOf } = setUp();
  const dora = slack.person({ name: "Dora", locale: "de-DE" });
  slow.ms = 2000;
  const first = localeOf(dora);
  await clock.advanceAsync(800);
  expect(await first).toBe("en");
  await clock.advanceAsync(1200);
  expect(await localeOf(dora)).toBe("de");
  expect(slack.calls).toHaveLength(1);
  expect(errors).toEqual([]);
});

test("a user whose locale hits Slack's rate limit reads English at once, and the locale is read again later", async () => {
  const { slack, errors, clock, localeOf } = setUp();
  const dora = slack.person({ name: "Dora", locale: "de-DE" });
  slack.limitRate("users.info", { retryAfter: 1 });
  expect(await localeOf(dora)).toBe("en");
  expect(errors.map(String)).toEqual([expect.stringContaining("ratelimited")]);
  await clock.advanceAsync(1000);
  expect(await localeOf(dora)).toBe("de");
});

test("when the operator's languageOf throws, the error is reported and the user reads English", async () => {
  const broken = setUp(() => {
    throw new Error("no directory");
  });
  expect(await broken.localeOf({ id: "UADA", team: "T1" })).toBe("en");
  expect(broken.errors.map(String)).toEqual(["Error: no directory"]);
  const { localeOf } = setUp(async () => slackLanguageFor("ja"));
  expect(await localeOf({ id: "UADA", team: "T1" })).toBe("ja");
});
