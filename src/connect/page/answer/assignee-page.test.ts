import { expect, test } from "vitest";
import { type FormQuestion, type RuntimeOptions, type User, originalOf } from "../../../runtime/index.ts";
import { outcomeOf } from "../../../runtime/internal.ts";
import { type Browser, type Page, hiddenFields } from "../../../../test/stages/browser.ts";
import { TRIP, send, stageAnswerPage } from "../../../../test/stages/answer-page-stage.ts";
import { AUTH } from "../../../../test/stages/page-stage.ts";

const ASSIGNEE = `${AUTH}/auth/answer/assignee`;
const HOUR = 60 * 60_000;

const ASSIGN: NonNullable<RuntimeOptions["assign"]> = {
  may: () => true,
  nameOf: ({ user, group }) => user ?? group,
  groupsOf: (userId) => (["bob", "cy"].includes(userId) ? ["finance"] : []),
};
const WITH_LIST = { ...ASSIGN, choicesOf: () => ["ada", "bob", "cy"].map((user) => ({ user })) };
const FOR_BOB: FormQuestion = { ...TRIP, assignee: { user: "bob" }, expiresInMs: 24 * HOUR };

/** Presses a button about who decides, as a browser without script does. */
const press = (
  browser: Browser,
  page: Page,
  fields: Readonly<Record<string, string>>,
  headers?: Record<string, string>,
): Promise<Page> => browser.post(ASSIGNEE, { ...hiddenFields(page), ...fields }, headers);

const GIVE_TO_CY = { action: "give", to: '{"user":"cy"}' };

test("the page of an assigned question is for the assignee, and names the user but not the conversation", async () => {
  const s = await stageAnswerPage({ ...TRIP, assignee: { group: "finance" } }, {}, { assign: ASSIGN });
  expect((await s.newBrowser("dan").visit(s.url)).status).toBe(404);
  const [bob, cy] = [s.newBrowser("bob"), s.newBrowser("cy")];
  const [ofBob, ofCy] = [await bob.visit(s.url), await cy.visit(s.url)];
  expect(ofBob.text).toContain("From Ada");
  expect(ofBob.text).toContain("Bob (bob)");
  expect(ofBob.text).not.toContain("her-own-chat");
  const sent = await send({ ...s, browser: bob }, ofBob, { f0: "Rome", f1: "2" });
  expect((await bob.follow(sent)).text).toContain("From Ada");
  expect(await s.result()).toEqual({ outcome: "accepted", content: { city: "Rome", nights: 2 }, by: "bob" });
  // The other user's page notices this, and changes nothing.
  await send({ ...s, browser: cy }, ofCy, { f0: "Paris", f1: "2" });
  const told = await cy.visit(s.url);
  expect(told.text).toContain("Answered by bob");
  expect(s.errors).toEqual([]);
});

test("the page of a form shows its fields only to the user who decides, also after the form was reassigned or taken back", async () => {
  const s = await stageAnswerPage(TRIP, {}, { assign: ASSIGN });
  const shows = async (browser: typeof s.browser) => (await browser.get(s.url)).text.includes('name="f0"');
  const bob = s.newBrowser("bob");
  expect(await shows(s.browser)).toBe(true);
  await s.runtime.elicitations.assign(s.elicitationId, { id: "ada" }, { user: "bob" });
  await bob.visit(s.url);
  expect([await shows(s.browser), await shows(bob)]).toEqual([false, true]);
  await s.runtime.elicitations.assign(s.elicitationId, { id: "ada" }, undefined);
  expect([await shows(s.browser), await shows(bob)]).toEqual([true, false]);
});

test("the user whose agent asks sees for whom the question waits, sends a reminder, and takes it back", async () => {
  const s = await stageAnswerPage(FOR_BOB, {}, { assign: ASSIGN, notices: { onWaiting: () => undefined } });
  expect(s.shown.text).toContain("Waits for bob");
  expect(s.shown.text).toContain("Where to, and for how long?");
  expect(s.shown.text).not.toMatch(/asks you|name="f0"|Give to someone else/);
  const early = await press(s.browser, s.shown, { action: "remind" });
  expect([early.status, early.text.match(/role="status">([^<]*)/)?.[1]]).toEqual([
    200,
    "It is too soon for a reminder. You can send one in 11 minutes.",
  ]);
  s.runtime.clock.advance(HOUR);
  const later = await s.browser.visit(s.url);
  expect((await press(s.browser, later, { action: "remind" })).text).toContain("A reminder is on its way.");
  const back = await press(s.browser, later, { action: "take-back" });
  const form = await s.browser.follow(back);
  expect(form.text).toContain('name="f0"');
  expect(form.text).not.toContain("Waits for");
  await send(s, form, { f0: "Rome", f1: "2" });
  expect(await s.result()).toEqual({ outcome: "accepted", content: { city: "Rome", nights: 2 } });
  expect(s.errors).toEqual([]);
});

test("nothing is offered to the user who waits where nobody is notified and they must not decide", async () => {
  const may: typeof ASSIGN.may = (user, to) => to.user !== user.id;
  const s = await stageAnswerPage(FOR_BOB, {}, { assign: { ...ASSIGN, may } });
  expect(s.shown.text).toContain("Waits for bob");
  expect(s.shown.text).not.toMatch(/Remind|Take back/);
  // Whatever is sent changes nothing.
  for (const action of ["remind", "take-back"]) {
    const refused = await press(s.browser, s.shown, { action });
    expect([refused.status, refused.text.includes("That did not work. Try again.")]).toEqual([422, true]);
  }
  expect((await s.runtime.elicitations.get(s.elicitationId))?.assigned?.to).toEqual({ user: "bob" });
  s.runtime.clock.advance(60_000);
  await s.newBrowser("bob").visit(s.url);
  await s.runtime.elicitations.answer(
    { elicitationId: s.elicitationId, conversationId: s.elicitationId, action: "decline" },
    "bob",
  );
  expect((await s.browser.visit(s.url)).text).toContain("Answered by bob");
});

test.each([
  ["the user who waits for it", "ada"],
  ["the assignee", "bob"],
])("a “Not you?” that was made by hand does not decline an assigned question (%s)", async (_, user) => {
  const may: typeof ASSIGN.may = (asker, to) => to.user !== asker.id;
  const s = await stageAnswerPage(FOR_BOB, {}, { assign: { ...ASSIGN, may } });
  const browser = s.newBrowser(user);
  const fields = { ...hiddenFields(await browser.visit(s.url)), answer: "decline" };
  expect((await browser.post(`${AUTH}/auth/forget`, fields)).text).toContain("forgotten who you are");
  const record = await s.runtime.elicitations.get(s.elicitationId);
  expect([record && outcomeOf(record), record?.changedBy]).toEqual([undefined, undefined]);
});

test("the assignee gives the question to somebody else, and nothing of it is left on the assignee's page", async () => {
  const s = await stageAnswerPage(FOR_BOB, {}, { assign: WITH_LIST });
  const bob = s.newBrowser("bob");
  const page = await bob.visit(s.url);
  expect(page.text).toMatch(/<summary><svg[^]*?<\/svg>Give to someone else<\/summary>/);
  expect(
    [...page.text.matchAll(/<option value="([^"]+)">([^<]+)/g)].map(([, to, name]) => [to, name]),
  ).toEqual([
    ["{&quot;user&quot;:&quot;ada&quot;}", "ada"],
    ["{&quot;user&quot;:&quot;cy&quot;}", "cy"],
  ]);
  const given = await press(bob, page, GIVE_TO_CY);
  expect([given.status, given.text.includes("<h1>Given to cy</h1>")]).toEqual([200, true]);
  expect(given.text).not.toContain("Where to");
  expect((await bob.visit(s.url)).status).toBe(404);
  expect((await s.browser.visit(s.url)).text).toContain("Waits for cy");
  expect((await s.newBrowser("cy").visit(s.url)).text).toContain("From Ada");
  expect(await s.runtime.elicitations.get(s.elicitationId)).toMatchObject({
    changedBy: { userId: "bob", through: "page", assigned: true },
  });
});

test("a user who gives the question to a group of their own still decides it", async () => {
  const s = await stageAnswerPage(FOR_BOB, {}, { assign: WITH_LIST });
  const bob = s.newBrowser("bob");
  const given = await press(bob, await bob.visit(s.url), { action: "give", to: '{"group":"finance"}' });
  expect((await bob.follow(given)).text).toContain('name="f0"');
  expect((await s.newBrowser("cy").visit(s.url)).text).toContain('name="f0"');
});

test("the user whose agent asks gives their own question to somebody else, on one page", async () => {
  const s = await stageAnswerPage(TRIP, {}, { assign: WITH_LIST });
  const given = await press(s.browser, s.shown, GIVE_TO_CY);
  // Their chat is not asked again who they are.
  expect((await s.browser.get(given.headers.get("location") ?? "")).text).toContain("Waits for cy");
  // An older page changes nothing.
  const older = await press(s.browser, s.shown, { action: "give", to: '{"user":"bob"}' });
  expect((await s.browser.follow(older)).text).toContain("Waits for cy");
  const taken = await press(s.browser, s.shown, { action: "take-back" });
  expect((await s.browser.get(taken.headers.get("location") ?? "")).text).toContain('name="f0"');
});

test("a user who is signed in on the page's origin sees the same", async () => {
  const session = (request: Request): User | undefined => {
    const id = /session=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
    return id === undefined ? undefined : { id };
  };
  const s = await stageAnswerPage(FOR_BOB, { session }, { assign: WITH_LIST });
  const signedIn = (id: string) => {
    const browser = s.newBrowser();
    browser.setCookie(AUTH, "session", id);
    return browser;
  };
  const [ada, bob] = [signedIn("ada"), signedIn("bob")];
  const waiting = await ada.visit(s.url);
  expect(waiting.text).toContain("Waits for bob");
  expect((await signedIn("dan").visit(s.url)).status).toBe(404);
  expect((await press(bob, await bob.visit(s.url), GIVE_TO_CY)).text).toContain("Given to cy");
  const taken = await press(ada, waiting, { action: "take-back" });
  expect((await ada.follow(taken)).text).toContain('name="f0"');
});

test("a user whom the application refuses, or cannot list, gets nothing", async () => {
  const may: typeof ASSIGN.may = (user, to) => !(user.id === "bob" && to.user === "cy");
  const s = await stageAnswerPage(FOR_BOB, {}, { assign: { ...WITH_LIST, may } });
  const bob = s.newBrowser("bob");
  const page = await bob.visit(s.url);
  const refused = await press(bob, page, GIVE_TO_CY);
  expect([refused.status, refused.text.includes("That did not work. Try again.")]).toEqual([422, true]);
  expect(refused.text).toMatch(/<details class="more" open>\s*<summary><svg[^]*?<\/svg>Give to someone else/);
  expect((await s.newBrowser("cy").visit(s.url)).status).toBe(404);

  const down = new Error("the directory is down");
  const choicesOf = () => Promise.reject(down);
  const broken = await stageAnswerPage(TRIP, {}, { assign: { ...ASSIGN, choicesOf } });
  expect(broken.shown.text).not.toContain("Give to someone else");
  expect(broken.errors.map(originalOf)).toEqual([down]);
  await send(broken, broken.shown, { f0: "Rome", f1: "2" });
  expect(await broken.result()).toMatchObject({ outcome: "accepted" });
});

test.each<[string, Record<string, string>, Record<string, string>, number]>([
  ["a wrong token", { csrf: "x".repeat(43) }, {}, 403],
  ["another site's form", {}, { "sec-fetch-site": "cross-site" }, 403],
  ["no action", { action: "" }, {}, 400],
  ["nobody", { to: "" }, {}, 400],
  ["somebody who is no assignee", { to: '{"user":"cy","group":"finance"}' }, {}, 400],
])("a form with %s gives the question to nobody", async (_, fields, headers, expected) => {
  const s = await stageAnswerPage(FOR_BOB, {}, { assign: WITH_LIST });
  const bob = s.newBrowser("bob");
  const page = await bob.visit(s.url);
  const refused = await press(bob, page, { ...GIVE_TO_CY, ...fields }, headers);
  expect(refused.status).toBe(expected);
  expect((await s.runtime.elicitations.get(s.elicitationId))?.assigned?.to).toEqual({ user: "bob" });
});

test("an assignee who gives a question on while it is taken back does not become the user whose agent asks", async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const may: typeof ASSIGN.may = async (user) => {
    const act = user.id === "bob" ? meanwhile : undefined;
    meanwhile = undefined;
    await act?.();
    return true;
  };
  const s = await stageAnswerPage(FOR_BOB, {}, { assign: { ...WITH_LIST, may } });
  const bob = s.newBrowser("bob");
  const page = await bob.visit(s.url);
  meanwhile = () => s.runtime.elicitations.assign(s.elicitationId, { id: "ada" }, undefined);
  await press(bob, page, GIVE_TO_CY);
  expect((await s.runtime.elicitations.get(s.elicitationId))?.assigned).toBe(undefined);
  expect((await bob.get(s.url)).text).not.toContain('name="f0"');
  expect((await bob.visit(s.url)).status).toBe(404);
});
