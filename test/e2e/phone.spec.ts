import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });

test(
  "on a phone all targets are large enough for touch, and no input makes the browser zoom",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await page.getByRole("button", { name: "Do both: an issue and a flight" }).tap();
    // The focused heading is visible, although another request is below it.
    await expect(chat.formCards).toBeVisible();
    await expect(chat.connectCards.getByRole("heading")).toBeFocused();
    await expect(chat.connectCards.getByRole("heading")).toBeInViewport();
    for (const card of [chat.connectCards, chat.formCards]) {
      await expect(card).toBeVisible();
      for (const control of await card
        .locator(".elicit-button:not(.elicit-more-time), .elicit-close, .elicit-input, .elicit-option")
        .filter({ visible: true })
        .all()) {
        const { width, height } = (await control.boundingBox()) ?? { width: 0, height: 0 };
        expect(Math.min(width, height), await control.innerHTML()).toBeGreaterThanOrEqual(44);
      }
    }
    for (const input of await page.locator("input[type=text], input[type=date], #message").all()) {
      expect(
        await input.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize)),
      ).toBeGreaterThanOrEqual(16);
    }
    // A placeholder that is too long ends with dots, and not within a letter.
    await expect(page.getByLabel("Message", { exact: true })).toHaveCSS("text-overflow", "ellipsis");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  },
);

test("on a phone a form is answered by touch alone", async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await page.getByRole("button", { name: "Book me a flight" }).tap();
  await chat.formCards.getByRole("button", { name: "Send" }).tap();
  await expect(chat.formCards.getByLabel("Destination")).toBeFocused();
  await page.keyboard.type("Lisbon");
  await chat.formCards.getByLabel("Departure date").fill("2099-03-04");
  await chat.formCards.getByRole("radio", { name: "Business" }).tap();
  await chat.formCards.getByRole("button", { name: "Send" }).tap();
  await expect(chat.log).toContainText("Done: Flight to Lisbon on 4 March 2099, business");
});
