import type { Page } from "@playwright/test";
import { ChatPage, finishConnecting, trackerCalls } from "./chat-page.ts";
import { clickAndMayClose, closedBy } from "./closing.ts";
import { expect, test } from "./demo.ts";

/**
 * A chat whose browser blocks script-opened windows, with the demo's normal hosted page. However the user reaches that
 * page, they can continue there.
 */
async function blockedChat(page: Page, demo: ChatPage["demo"]): Promise<ChatPage> {
  await page.addInitScript("window.open = () => null");
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Create an issue about the login bug");
  return chat;
}

async function pressConnect(chat: ChatPage): Promise<void> {
  await chat.connectCards.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(chat.connectCards).toContainText("Your browser did not open the window");
}

async function expectConnected(chat: ChatPage): Promise<void> {
  await expect(chat.connectCards).toContainText("Tracker connected");
  await expect(chat.log).toContainText(/Done: .*#1/);
  const once = { withCredential: 1, withBadCredential: 0, withoutCredential: 0 };
  expect(await trackerCalls(chat.demo)).toEqual(once);
}

test(
  "when the browser blocks the window, the user connects in a new tab, and the agent continues",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = await blockedChat(page, demo);
    await pressConnect(chat);
    const opening = page.context().waitForEvent("page");
    await chat.connectCards.getByRole("link", { name: "Open in a new tab" }).click();
    const tab = await opening;
    await expect(tab.getByText("alice", { exact: true }).last()).toBeVisible();
    // The tab keeps its opener, so that it can notify the chat of completion, as a window could.
    expect(await tab.evaluate("window.opener !== null")).toBe(true);
    await finishConnecting(tab);
    await expectConnected(chat);
  },
);

test(
  "when the browser blocks the window, the user connects in the same tab, returns to the chat, and finds the answer there",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = await blockedChat(page, demo);
    await pressConnect(chat);
    const conversation = page.url();
    await chat.connectCards.getByRole("link", { name: "Continue in this tab" }).click();
    await expect(page.getByRole("button", { name: "Continue to Tracker" })).toBeEnabled();
    await finishConnecting(page);
    await page.getByRole("link", { name: "Back to your chat" }).click();
    await expect(page).toHaveURL(conversation);
    await expectConnected(chat);
  },
);

test(
  "when the browser blocks the window, the user connects in another window with a copied link, and the agent continues",
  { tag: "@long" },
  async ({ page, demo }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: demo.chat });
    const chat = await blockedChat(page, demo);
    await chat.connectCards.getByRole("button", { name: "Copy" }).click();
    await expect(chat.connectCards.getByRole("button", { name: "Copied" })).toBeVisible();
    const link = await page.evaluate<string>("navigator.clipboard.readText()");
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(link);
    await finishConnecting(elsewhere);
    await expectConnected(chat);
  },
);

test(
  "a user who presses “Not you?” is signed out of the hosted page, which no longer recognises them",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = await blockedChat(page, demo);
    await pressConnect(chat);
    const opening = page.context().waitForEvent("page");
    await chat.connectCards.getByRole("link", { name: "Open in a new tab" }).click();
    const tab = await opening;
    await tab.getByRole("button", { name: "Not you?" }).click();
    await expect(tab.getByRole("heading")).toHaveText(/^Not alice.*\?$/);
    await tab.getByRole("button", { name: "Decline" }).click();
    await expect(tab.getByRole("heading")).toHaveText("Use your own chat account");
    await expect(tab.locator("body")).not.toContainText("alice");
    // The chat has opened this tab and is still open behind it, so the tab closes.
    await closedBy(tab, () => clickAndMayClose(tab.getByRole("link", { name: "Back to your chat" })));
    await expect(chat.connectCards.getByRole("button", { name: "Decline" })).toHaveCount(0);
  },
);
