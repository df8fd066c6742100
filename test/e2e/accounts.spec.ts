import { expectSound } from "./axe.ts";
import { ChatPage, finishConnecting } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test(
  "the user removes a connected account on the page of accounts, and the next call asks again",
  { tag: "@long" },
  async ({ page, context, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Create an issue");
    await finishConnecting(await chat.connect());
    await expect(chat.turn).toContainText("Done in one turn");

    await chat.openMenu();
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: "Connected accounts" }).click();
    const accounts = await opened;
    await expect(accounts.getByRole("heading", { name: "Connected accounts" })).toBeVisible();
    await expect(accounts.getByText("Signed in as alice")).toBeVisible();
    await expectSound(accounts);
    await accounts.getByRole("button", { name: "Remove Tracker" }).click();
    await expect(accounts.getByRole("status")).toContainText("Tracker is no longer connected");
    await expect(accounts.getByText("No account is connected.")).toBeVisible();
    await expectSound(accounts);
    await accounts.close();

    await chat.say("Create an issue");
    await expect(chat.connectCards.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
  },
);

test("the receipt of a connected account opens to its rights, and removes it by keyboard after one question", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Create an issue");
  await finishConnecting(await chat.connect());
  await expect(chat.turn).toContainText("Done in one turn");

  const receipt = chat.log.locator("details", { hasText: "Tracker connected" });
  await receipt.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(receipt.getByText("Connected on")).toBeVisible();
  await expect(receipt.locator("dd li").first()).toBeVisible();
  await expectSound(page);
  await page.keyboard.press("Tab");
  await expect(receipt.getByRole("button", { name: "Remove" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(receipt.getByRole("button", { name: "Keep" })).toBeFocused();
  await expectSound(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const removed = chat.log.locator("summary", { hasText: "Tracker is no longer connected" });
  await expect(removed).toBeFocused();

  await chat.say("Create an issue");
  await expect(chat.connectCards.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
});
