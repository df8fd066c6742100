import { ChatPage, finishConnecting, trackerCalls } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test("a decline is undone before the agent gets it", { tag: "@long" }, async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Create an issue about the login bug");
  await chat.connectCards.getByRole("button", { name: "Decline" }).click();
  const undo = chat.connectCards.getByRole("button", { name: "Undo" });
  await expect(undo).toBeFocused();
  await expect(chat.connectCards).toContainText("You declined to connect Tracker");
  await page.keyboard.press("Enter");
  await finishConnecting(await chat.connect());
  await expect(chat.log).toContainText(/Done: .*#1/);
  expect((await trackerCalls(demo))["withCredential"]).toBe(1);
});

test("a decline reaches the agent when the user leaves the page before its undo time is over", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Book me a flight");
  await chat.formCards.getByRole("button", { name: "Decline" }).click();
  await expect(chat.formCards.getByRole("button", { name: "Undo" })).toBeFocused();
  const before = page.url();
  await page.goto("about:blank");
  await page.goto(before);
  await expect(chat.log).toContainText("You declined");
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  await expect(chat.turn).toContainText("Done");
});

test("a decline of a page that was too slow to send it can be undone after a reload, and is then sent", async ({
  page,
  context,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Book me a flight");
  await chat.formCards.getByRole("button", { name: "Decline" }).click();
  const undo = chat.formCards.getByRole("button", { name: "Undo" });
  await expect(undo).toBeFocused();
  const before = page.url();
  const browser = await context.newCDPSession(page);
  await browser.send("Emulation.setCPUThrottlingRate", { rate: 60 });
  await page.goto("about:blank");
  await browser.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.goto(before);
  await expect(undo).toBeVisible();
  await expect(chat.turn).toContainText("Done");
  await expect(chat.log).toContainText("You declined");
});

test("the agent asks again for a declined account", { tag: "@long" }, async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Create an issue about the login bug");
  await chat.connectCards.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("button", { name: "Connect after all" }).click();
  await expect(chat.log).toContainText("Please connect Tracker after all.");
  await finishConnecting(await chat.connect(chat.connectCards.last()));
  await expect(chat.log).toContainText(/Done: .*#1/);
});
