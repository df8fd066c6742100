import type { Browser, Page } from "@playwright/test";
import { ChatPage, finishConnecting, trackerCalls } from "./chat-page.ts";
import { type Demo, expect, test } from "./demo.ts";

// Chromium logs a refused page in the console.
test.use({
  expectedInConsole: /the server responded with a status of 40[0134] .* \(http:\/\/127\.0\.0\.1:\d+\/auth\//,
});

/**
 * Alice wants to use Bob's tracker account for her agent: she starts a connection and gets Bob to finish it. Two browser
 * profiles. Bob is signed in to the same chat.
 */
async function aliceAndBob(browser: Browser, page: Page, demo: Demo) {
  const alice = new ChatPage(page, demo);
  await alice.open();
  await alice.say("Create an issue about the login bug");
  const profile = await browser.newContext();
  const bob = new ChatPage(await profile.newPage(), demo);
  await bob.open();
  await bob.switchAccount("bob");
  return { alice, bob, profile };
}

async function linkOf(alice: ChatPage): Promise<string> {
  const text = await alice.connectCards.getByRole("group", { name: /^Link to/ }).innerText();
  const link = /https?:\/\/\S+elicitationId=[\w-]{22}/.exec(text.replaceAll(/\s/g, ""))?.[0];
  if (link === undefined) throw new Error(`the card shows no link: ${text}`);
  return link;
}

/** Alice's goal was that her agent creates an issue with Bob's permissions. */
async function expectNothingConnected(alice: ChatPage, link: string): Promise<void> {
  const id = new URL(link).searchParams.get("elicitationId") ?? "";
  const status = await alice.page.request.get(`${alice.demo.runtime}/run/api/elicitations/${id}`);
  expect(await status.json()).toMatchObject({ elicitationId: id, status: "pending" });
  const none = { withCredential: 0, withBadCredential: 0, withoutCredential: 0 };
  expect(await trackerCalls(alice.demo)).toEqual(none);
}

test("a link sent to another user shows them nothing and cannot be started by them", async ({
  browser,
  page,
  demo,
}) => {
  const { alice, bob, profile } = await aliceAndBob(browser, page, demo);
  const link = await linkOf(alice);
  const opened = await profile.newPage();
  await opened.goto(link);
  await expect(opened.getByRole("heading")).toHaveText("This link cannot be used");
  await expect(opened.getByRole("button", { name: "Continue" })).toHaveCount(0);
  await expect(opened.locator("body")).not.toContainText(/alice|Tracker|Demo agent/);

  // The link does not work either if the chat opens it, while Bob is signed in there.
  const popup = bob.page.waitForEvent("popup");
  await bob.page.evaluate((url) => void window.open(url), link);
  const fromChat = await popup;
  await expect(fromChat.getByRole("heading")).toHaveText("This link cannot be used");
  await expectNothingConnected(alice, link);
  await profile.close();
});

test(
  "a link opened without a session says that no user is signed in, and links to the chat",
  { tag: "@long" },
  async ({ browser, page, demo }) => {
    const alice = new ChatPage(page, demo);
    await alice.open();
    await alice.say("Create an issue about the login bug");
    const link = await linkOf(alice);
    const profile = await browser.newContext();
    const opened = await profile.newPage();
    await opened.goto(link);
    await expect(opened.getByRole("alert")).toContainText("You are not signed in to your chat");
    await expect(opened.getByText("Somebody may have sent you a link")).toBeVisible();
    await expect(opened.getByRole("link", { name: "Back to your chat" })).toHaveAttribute(
      "href",
      `${demo.chat}/`,
    );
    await expect(opened.getByRole("button")).toHaveCount(0);
    await expect(opened.locator("body")).not.toContainText(/alice|Tracker|Demo agent/);
    await expectNothingConnected(alice, link);
    await profile.close();
  },
);

test(
  "a sign-in that Alice begins and Bob finishes connects no account, and Alice cannot use the callback",
  { tag: "@long" },
  async ({ browser, page, demo }) => {
    const { alice, profile } = await aliceAndBob(browser, page, demo);
    const link = await linkOf(alice);
    const popup = await alice.connect();
    // Alice does not open the provider's page, and sends its address to Bob.
    const [leaving] = await Promise.all([
      popup.waitForRequest((request) => request.url().startsWith(`${demo.oauth}/auth?`)),
      popup.getByRole("button", { name: "Continue" }).click(),
    ]);
    const victim = await profile.newPage();
    await victim.goto(leaving.url());
    await victim.getByLabel("Account").selectOption("bob");
    await victim.getByLabel("Password").fill("any");
    await victim.getByRole("button", { name: "Sign in" }).click();
    const back = victim.waitForRequest((request) => request.url().startsWith(`${demo.auth}/auth/callback?`));
    await victim.getByRole("button", { name: "Allow" }).click();
    const callback = (await back).url();
    await expect(victim.getByRole("heading")).toHaveText("This link cannot be used");
    await expectNothingConnected(alice, link);

    // Alice cannot use the code, even in the browser that began: Bob's visit has used up the state.
    const stolen = await page.context().newPage();
    await stolen.goto(callback);
    await expect(stolen.getByRole("heading")).toHaveText("This link cannot be used");
    await expectNothingConnected(alice, link);
    await profile.close();
  },
);

test(
  "after attempts to take over an account, the user can still connect their own account",
  { tag: "@long" },
  async ({ browser, page, demo }) => {
    const { alice, profile } = await aliceAndBob(browser, page, demo);
    const opened = await profile.newPage();
    await opened.goto(await linkOf(alice));
    await expect(opened.getByRole("heading")).toHaveText("This link cannot be used");
    await finishConnecting(await alice.connect());
    await expect(alice.log).toContainText(/Done: .*#1/);
    await opened.reload();
    await expect(opened.getByRole("heading")).toHaveText("This link cannot be used");
    await profile.close();
  },
);
