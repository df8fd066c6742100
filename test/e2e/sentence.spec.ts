import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test("a sentence fills in the form, and the user sends it", async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Book me a flight");
  const card = chat.formCards;
  await expect(page.getByText("A message fills in the form. You send it.")).toBeVisible();
  await card.getByLabel("Departure date").fill("2099-05-05");
  await chat.say("Lisbon on 1 March 2099, two of us");
  await expect(card.getByLabel("Destination")).toHaveValue("Lisbon");
  await expect(card.getByLabel("Travellers")).toHaveValue("2");
  // The user's own input stays.
  await expect(card.getByLabel("Departure date")).toHaveValue("2099-05-05");
  await expect(card).toContainText("Filled in from your message: Destination and Travellers.");
  await expect(card).toContainText("Your message says “Mar 1, 2099”.");
  await expect(card.getByLabel("Departure date")).toBeFocused();
  await expect(page.getByLabel("Message")).toHaveValue("");
  await card.getByRole("button", { name: "Keep mine" }).click();
  await expect(card.getByLabel("Departure date")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.log).toContainText("Done: Flight to Lisbon on 5 May 2099, economy, 2 travelling.");
});

test(
  "a message that fits no field withdraws the form only if the user confirms that",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Book me a flight");
    await expect(chat.formCards).toBeVisible();
    await chat.say("What is the cheapest airline?");
    await expect(chat.formCards).toContainText("Nothing in your message fits this form.");
    await expect(page.getByLabel("Message")).toHaveValue("What is the cheapest airline?");
    await page.getByRole("button", { name: "Send as a message" }).click();
    await expect(chat.log).toContainText("I am a script that plays the demo.");
    await expect(chat.formCards).toContainText("No longer needed");
  },
);
