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
  await answer.getByLabel("Departure date").fill("2027-03-04");
  await answer.getByRole("button", { name: "Send" }).click();
  await expect(answer.getByRole("heading", { name: "Sent" })).toBeVisible();
  await phone.close();

  await expect(chat.log).toContainText("Done: Flight to Lisbon on 2027-03-04");
  await expect(chat.turn).toContainText("Done in one turn");
});

test("the link to another user's form does not show the form", async ({ page, browser, demo }) => {
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
});
