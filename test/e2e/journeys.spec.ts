import { ChatPage, finishConnecting, trackerCalls } from "./chat-page.ts";
import { closedBy } from "./closing.ts";
import { expect, test } from "./demo.ts";

test("the user connects an account in a popup, and the agent continues in the same turn", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Create an issue about the login bug");
  const card = chat.connectCards;
  await expect(card).toContainText("Demo agent");
  await expect(card.getByRole("group", { name: "Link to 127.0.0.1" })).toContainText(
    `${demo.auth}/auth/connect?elicitationId=`,
  );
  await expect(card.getByRole("link")).toHaveCount(0);
  const popup = await chat.connect();
  await expect(popup.getByText("alice", { exact: true }).last()).toBeVisible();
  await expect(card).toContainText("Waiting for 127.0.0.1");
  await closedBy(popup, () => finishConnecting(popup));
  await expect(card).toContainText("Tracker connected as alice");
  await expect(chat.log).toContainText(/Done: .*#1/);
  await expect(chat.log.getByText("Agent", { exact: true })).toHaveCount(1);
  expect(await trackerCalls(demo)).toEqual({ withCredential: 1, withBadCredential: 0, withoutCredential: 0 });

  await chat.say("Create an issue about the logout bug");
  await expect(chat.log).toContainText(/Done: .*#2/);
  await expect(chat.connectCards).toHaveCount(1);
});

test("the user fills in a form, and the agent continues with the answer in the same turn", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Book me a flight");
  const card = chat.formCards;
  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByLabel("Destination")).toBeFocused();
  await expect(card).toContainText("Please fill this in.");
  await card.getByLabel("Travellers").fill("2");
  await chat.fillFlight("Lisbon", "2099-03-04");
  await expect(card).toContainText("Flight: Lisbon, Mar 4, 2099, Economy, Travellers: 2");
  await expect(chat.log).toContainText("Done: Flight to Lisbon on 4 March 2099, economy, 2 travelling.");
  await expect(chat.log.getByText("Agent", { exact: true })).toHaveCount(1);
});

for (const { way, mode, wish, text, receipt, tag } of [
  {
    way: "declines",
    mode: "url",
    wish: "Create an issue about the login bug",
    text: "Tell me when you want to do it after all.",
    receipt: "You declined to connect Tracker",
    tag: [],
  },
  {
    way: "dismisses",
    mode: "form",
    wish: "Book me a flight",
    text: "I can ask you again later.",
    receipt: "Dismissed",
    tag: ["@long"],
  },
]) {
  test(
    `when the user ${way} (mode ${mode}), the agent reacts, and the model's second try does not ask again`,
    { tag },
    async ({ page, demo }) => {
      const chat = new ChatPage(page, demo);
      await chat.open();
      await chat.say(`${wish}. Insist on it`);
      const card = mode === "url" ? chat.connectCards : chat.formCards;
      if (way === "declines") await card.getByRole("button", { name: "Decline" }).click();
      else {
        await card.getByRole("heading").click();
        await page.keyboard.press("Escape");
      }
      await expect(card).toContainText(receipt);
      await expect(chat.log).toContainText(text);
      await expect(chat.log.locator(".tool")).toHaveCount(2);
      await expect(card).toHaveCount(1);
      expect((await trackerCalls(demo))["withoutCredential"]).toBe(0);
    },
  );
}

test("the button × on a card dismisses the request", { tag: "@long" }, async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Book me a flight");
  await chat.formCards.getByRole("button", { name: "Not now" }).click();
  await expect(chat.log).toContainText("I can ask you again later.");
});

test.describe("when the user does not answer in time", () => {
  test.use({ demoEnv: { ELICITATION_TTL_MS: "4000" } });

  test("requests expire, and the agent reports it", async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Do both: an issue and a flight");
    await expect(chat.connectCards).toContainText("The request for Tracker expired");
    await expect(chat.formCards).toContainText("The request expired");
    await expect(chat.log).toContainText("I did not create the issue. Ask me again");
    await expect(chat.log).toContainText("I did not book the flight. Ask me again");
  });
});

test("the card is still usable when the popup is closed early", { tag: "@long" }, async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Create an issue about the login bug");
  const first = await chat.connect();
  await expect(first.getByRole("button", { name: "Continue" })).toBeEnabled();
  await first.close();
  await expect(chat.connectCards).toContainText("Closed the window?");
  const again = page.waitForEvent("popup");
  await chat.connectCards.getByRole("button", { name: "Open again" }).click();
  await finishConnecting(await again);
  await expect(chat.connectCards).toContainText("Tracker connected");
  await expect(chat.log).toContainText(/Done: .*#1/);
});

test("a user who denies access at the provider can try again", { tag: "@long" }, async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Create an issue about the login bug");
  const popup = await chat.connect();
  await finishConnecting(popup, { answer: "Deny" });
  await expect(popup.getByRole("alert")).toBeVisible();
  await expect(chat.connectCards).toContainText("You cancelled at Tracker. Nothing was connected.");
  // Not now, and the code for a phone, have signs in place of words.
  await expect(chat.connectCards.getByRole("button")).toHaveText([
    "",
    "",
    /Copy/,
    /Try again/,
    "Decline",
    "More time",
  ]);
  // A user who says no is no error of the server.
  expect(demo.output()).not.toContain("access_denied");
  expect(demo.output()).not.toContain("    at ");
  await finishConnecting(popup);
  await expect(chat.log).toContainText(/Done: .*#1/);
});

test("a reload while waiting keeps the request, the user's input, and the turn", async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Book me a flight");
  await chat.formCards.getByLabel("Destination").fill("Lisb");
  await page.reload();
  await expect(chat.formCards.getByLabel("Destination")).toHaveValue("Lisb");
  await expect(chat.log).toContainText("Book me a flight");
  await chat.fillFlight("Lisbon", "2099-03-04");
  await expect(chat.log).toContainText("Done: Flight to Lisbon");
  await page.reload();
  await expect(chat.log).toContainText("Done: Flight to Lisbon");
  await expect(chat.formCards).toContainText("Sent");
});

test(
  "a reload at the end of a turn shows the agent's reply, although the stream has closed",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Book me a flight");
    await expect(chat.formCards).toBeVisible();

    // The reloaded page reads the history while the turn is open, and requests its stream after it has ended.
    let turnEnds = (): void => undefined;
    const turnEnd = new Promise<void>((resolve) => (turnEnds = resolve));
    await page.route("**/stream?*", async (route) => {
      await turnEnd;
      await route.continue();
    });
    await Promise.all([page.waitForRequest("**/stream?*"), page.reload()]);
    const there = new ChatPage(await page.context().newPage(), demo);
    await there.page.goto(page.url());
    await there.fillFlight("Lisbon", "2099-03-04");
    await expect(there.log).toContainText("Done: Flight to Lisbon");
    await expect(there.turn).toContainText("Done in one turn");
    turnEnds();

    await expect(chat.log).toContainText("Done: Flight to Lisbon");
    await expect(chat.formCards).toContainText("Sent");
  },
);

test(
  "two requests are open at the same time, and each is answered separately",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Do both: an issue and a flight");
    await expect(chat.connectCards).toBeVisible();
    await chat.fillFlight("Lisbon", "2099-03-04");
    await expect(chat.formCards).toContainText("Flight: Lisbon");
    await finishConnecting(await chat.connect());
    await expect(chat.log).toContainText(/Done: .*#1/);
    await expect(chat.log).toContainText("Done: Flight to Lisbon");
  },
);

test("two requests follow each other in one turn", { tag: "@long" }, async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("First create an issue about the login bug, then a flight");
  await expect(chat.formCards).toHaveCount(0);
  await finishConnecting(await chat.connect());
  await chat.fillFlight("Lisbon", "2099-03-04");
  await expect(chat.log).toContainText("Done: Flight to Lisbon");
  await expect(chat.log.getByText("Agent", { exact: true })).toHaveCount(1);
});

test(
  "Stop withdraws the request, and finishing the popup afterwards creates nothing",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Create an issue about the login bug");
    const popup = await chat.connect();
    await expect(popup.getByRole("button", { name: "Continue" })).toBeEnabled();
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(chat.connectCards).toContainText("No longer needed");
    await expect(chat.log).toContainText("Create an issue: stopped");
    await popup.getByRole("button", { name: "Continue" }).click();
    await expect(popup.getByRole("heading")).toContainText("This request was withdrawn");
    expect((await trackerCalls(demo))["withCredential"]).toBe(0);
  },
);

test(
  "after the user was switched, the agent asks the new user to connect their own account",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Create an issue about the login bug");
    await finishConnecting(await chat.connect());
    await expect(chat.log).toContainText(/Done: .*#1/);

    await chat.switchAccount("bob");
    await expect(chat.connectCards).toHaveCount(0);
    await chat.say("Create an issue about the logout bug");
    const popup = await chat.connect();
    await expect(popup.getByText("bob", { exact: true }).last()).toBeVisible();
  },
);

test.describe("a request that was open when the user was switched", () => {
  // The page reads the status once more of a request that does not belong to the new user.
  test.use({ expectedInConsole: /404 \(Not Found\).*\/api\/elicitations\// });

  test("leaves no user input in the tab", { tag: "@long" }, async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Book me a flight");
    await chat.formCards.getByLabel("Destination").fill("Lisbon");
    const drafts = () => page.evaluate(() => Object.values({ ...sessionStorage }).join());
    await expect.poll(drafts).toContain("Lisbon");
    await chat.switchAccount("bob");
    await expect.poll(drafts).not.toContain("Lisbon");
  });
});
