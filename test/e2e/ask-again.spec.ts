import { ChatPage, finishConnecting } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test("a decline reaches the agent although the user leaves the page right after the press", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.openForm();
  const before = page.url();
  await chat.formCards.getByRole("button", { name: "Decline" }).click();
  await page.goto("about:blank");
  await page.goto(before);
  await expect(chat.log).toContainText("You declined");
  await expect(chat.turn).toContainText("Ended in one turn");
});

test(
  "a declined form that the agent asks again has what the user had typed",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.openForm();
    await chat.formCards.getByLabel("Destination").fill("Lisbon");
    await chat.decline(chat.formCards);
    await page.getByRole("button", { name: "Ask again" }).click();
    await expect(chat.formCards).toHaveCount(1);
    await expect(chat.formCards.getByLabel("Destination")).toHaveValue("Lisbon");
    await expect(page.getByRole("button", { name: "Ask again" })).toHaveCount(0);
  },
);

test("the agent asks again for a declined account", { tag: "@long" }, async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Create an issue about the login bug");
  await chat.decline(chat.connectCards);
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect(chat.log).toContainText("Please connect Tracker after all.");
  await finishConnecting(await chat.connect(chat.connectCards.last()));
  await expect(chat.log).toContainText(/Done: .*#1/);
});
