import { expectSound } from "./axe.ts";
import { ChatPage, finishConnecting } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test("the receipt of a connected account leads to the page where the user removes it, and the next call asks again", async ({
  page,
  context,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Create an issue");
  await finishConnecting(await chat.connect());
  await expect(chat.turn).toContainText("Done in one turn");

  await chat.log.locator("summary", { hasText: "Tracker connected" }).click();
  const opened = context.waitForEvent("page");
  await chat.log.getByRole("link", { name: "See what it allows, or remove it" }).click();
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
});
