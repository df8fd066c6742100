import { expectSound } from "./axe.ts";
import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test("a form that waits in the chat is answered on a phone without JavaScript, and the same turn continues in the chat", async ({
  page,
  browser,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.openForm();
  const conversationId = new URL(page.url()).hash.slice(1);
  const listed = await page.request.get(`${demo.runtime}/run/api/elicitations`, {
    params: { conversationId },
  });
  const { elicitations } = (await listed.json()) as { elicitations: { elicitationId: string }[] };
  const elicitationId = elicitations[0]?.elicitationId ?? "";

  const phone = await browser.newContext({
    javaScriptEnabled: false,
    hasTouch: true,
    viewport: { width: 360, height: 780 },
    // The same user is signed in to the chat.
    storageState: await page.context().storageState(),
  });
  const answer = await phone.newPage();
  await answer.goto(`${demo.auth}/auth/answer?${new URLSearchParams({ elicitationId })}`);
  await answer.getByRole("button", { name: "Send" }).click();
  await expect(answer.getByRole("alert")).toContainText("Please check these answers.");
  await answer.getByLabel("Destination").fill("Lisbon");
  await answer.getByLabel("Departure date").fill("2099-03-04");
  await answer.getByRole("button", { name: "Send" }).click();
  await expect(answer.getByRole("heading", { name: "Sent" })).toBeVisible();
  await phone.close();

  await expect(chat.log).toContainText("Done: Flight to Lisbon on 4 March 2099");
  await expect(chat.turn).toContainText("Done in one turn");
});

test("a card shows its link as a QR code, and becomes its receipt when the user answers on the other device", async ({
  page,
  browser,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.openForm();
  const card = chat.formCards;
  await card.getByRole("button", { name: "Continue on your phone" }).focus();
  await page.keyboard.press("Enter");
  await expect(card.getByRole("img", { name: "QR code of the link to this question" })).toBeVisible();
  await expectSound(page);
  const link = await card.getByRole("link", { name: "Open in a new tab" }).getAttribute("href");

  // Without a session of the user, the same code shows nothing.
  const stranger = await browser.newContext();
  const lost = await stranger.newPage();
  await lost.goto(link ?? "");
  await expect(lost.getByLabel("Destination")).toHaveCount(0);
  await stranger.close();

  const phone = await browser.newContext({ storageState: await page.context().storageState() });
  const answer = await phone.newPage();
  await answer.goto(link ?? "");
  await answer.getByLabel("Destination").fill("Lisbon");
  await answer.getByLabel("Departure date").fill("2099-03-04");
  await answer.getByRole("button", { name: "Send" }).click();
  await expect(answer.getByRole("heading", { name: "Sent" })).toBeVisible();
  await phone.close();

  await expect(card.locator(".elicit-receipt")).toBeVisible();
  await expect(card.getByRole("button", { name: "Continue on your phone" })).toHaveCount(0);
  await expect(chat.log).toContainText("Done: Flight to Lisbon on 4 March 2099");
  await expect(chat.turn).toContainText("Done in one turn");
});

test(
  "the link to another user's form does not show the form",
  { tag: "@long" },
  async ({ page, browser, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.openForm();
    const conversationId = new URL(page.url()).hash.slice(1);
    const listed = await page.request.get(`${demo.runtime}/run/api/elicitations`, {
      params: { conversationId },
    });
    const { elicitations } = (await listed.json()) as { elicitations: { elicitationId: string }[] };

    const window = await browser.newContext({ javaScriptEnabled: false });
    const bob = await window.newPage();
    await window.request.post(`${demo.chat}/session`, { data: { user: "bob" } });
    await bob.goto(`${demo.auth}/auth/answer?elicitationId=${elicitations[0]?.elicitationId ?? ""}`);
    await expect(bob.getByRole("heading", { name: "This link cannot be used" })).toBeVisible();
    await expect(bob.getByLabel("Destination")).toHaveCount(0);
    await window.close();
  },
);
