import { expectSound } from "./axe.ts";
import type { BrowserContext, Page } from "@playwright/test";
import { ChatPage } from "./chat-page.ts";
import { type Demo, expect, test } from "./demo.ts";

/** The agent asks in one tab, and the inbox is open in another. */
async function askAndOpenInbox(page: Page, context: BrowserContext, demo: Demo) {
  const chat = new ChatPage(page, demo);
  await chat.openForm();

  const other = new ChatPage(await context.newPage(), demo);
  await other.open();
  await other.page.getByRole("button", { name: "Inbox (1)" }).click();
  const inbox = other.page.getByRole("region", { name: /^Waiting for you/ });
  return { chat, other, inbox };
}

test("a question is answered in the inbox of another tab, and its turn continues in the first tab", async ({
  page,
  context,
  demo,
}) => {
  const { chat, other, inbox } = await askAndOpenInbox(page, context, demo);
  await expect(page.getByRole("button", { name: "Inbox (1)" })).toBeVisible();
  await expect(inbox.getByRole("list", { name: "Book me a flight" }).getByRole("button")).toHaveCount(1);
  await expectSound(other.page);
  await inbox.getByRole("list").getByRole("button").click();
  await other.fillFlight("Lisbon", "2099-03-04", inbox.locator("[data-elicitation]"));

  await expect(chat.log).toContainText("Done: Flight to Lisbon on 4 March 2099");
  await expect(chat.turn).toContainText("Done in one turn");
  await expect(chat.log.getByText("Answered in another place.")).toBeVisible();
  await expect(inbox.locator("[data-over]")).toContainText("Lisbon");
  await expect(other.page.getByRole("button", { name: "Inbox (0)" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Inbox (0)" })).toBeVisible();
});

test(
  "a row of the inbox links to its conversation, and Escape in a row keeps the inbox open",
  { tag: "@long" },
  async ({ page, context, demo }) => {
    const { chat, other, inbox } = await askAndOpenInbox(page, context, demo);
    const row = inbox.getByRole("list").getByRole("button");
    await row.click();
    await expect(inbox.locator("h3[tabindex]")).toBeFocused();
    await other.page.keyboard.press("Escape");
    await expect(row).toBeFocused();
    await inbox.getByRole("link", { name: "Book me a flight" }).click();
    await expect(other.log).toContainText("Book me a flight");
    await expect(inbox).toBeHidden();
    await other.fillFlight("Porto", "2099-03-05");
    await expect(chat.log).toContainText("Done: Flight to Porto");
  },
);

test(
  "an opened row shows its whole card, and after Send the list keeps its place",
  { tag: "@long" },
  async ({ page, demo }) => {
    await page.setViewportSize({ width: 900, height: 680 });
    const chat = new ChatPage(page, demo);
    await chat.open();
    for (const message of ["Plan a team day", "Do both: an issue and a flight", "Book me a flight"]) {
      await chat.say(message);
      await expect(page.locator("[data-open]").first()).toBeVisible();
      await page.getByRole("button", { name: "New chat" }).click();
      await expect(page.getByRole("heading", { name: "The agent asks you, then continues" })).toBeVisible();
    }
    await page.getByRole("button", { name: "Inbox (4)" }).click();
    const inbox = page.getByRole("region", { name: /^Waiting for you/ });
    await inbox.getByRole("list", { name: "Book me a flight", exact: true }).getByRole("button").click();
    const card = inbox.locator("[data-elicitation]");
    await expect(card.getByRole("heading")).toBeFocused();
    await expect(card).toBeInViewport({ ratio: 0.99 });
    const scrolled = () => page.locator(".inbox").evaluate(({ scrollTop }) => scrollTop);
    expect(await scrolled()).toBeGreaterThan(0);
    await chat.fillFlight("Lisbon", "2099-03-04", card);
    await expect(inbox.locator("[data-over]")).toBeInViewport();
  },
);

test(
  "Start over withdraws the open questions of the forgotten chats",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.openForm();
    await expect(page.getByRole("button", { name: "Inbox (1)" })).toBeVisible();
    await chat.openMenu();
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Start over" }).click();
    await expect(page.getByRole("button", { name: "Inbox (0)" })).toBeVisible();
  },
);
