import { violations } from "./axe.ts";
import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test("an agent behind A2A asks for an account and then for a form, and both are cards of the chat", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.suggest(/^Another agent asks/);
  const account = page.getByRole("group", { name: "Connect Contoso Travel" });
  await expect(account).toContainText("To see your points, the travel agent needs your account.");
  await expect(account).toContainText("Demo travel agent");
  const travel = await chat.connect(account);
  // The requester, the reason, the account, and the buttons.
  await expect(travel.getByText("Demo travel agent asks for Demo agent")).toBeVisible();
  await expect(travel.getByText(/^Signed in as/)).toBeVisible();
  await expect(travel.getByRole("button", { name: "Decline" })).toBeVisible();
  await travel.getByRole("button", { name: "Allow" }).click();
  await expect(travel.getByRole("heading", { name: "Contoso Travel is connected" })).toBeVisible();
  await travel.close();

  await expect(account).toContainText("Contoso Travel connected");
  const trip = chat.formCards;
  await expect(trip).toContainText("Where shall the weekend be?");
  await trip.getByRole("radio", { name: "Rome" }).check();
  await trip.getByRole("button", { name: "Send" }).click();
  await expect(chat.log).toContainText("Rome, 2 nights, with breakfast: held for you until tomorrow.");
  await expect(chat.turn).toContainText("Done in one turn");

  // The account stays connected at the travel agent.
  await chat.say("Ask the travel agent for another weekend");
  await chat.decline(chat.formCards.last());
  await expect(chat.log).toContainText("nobody said where");
  await expect(account).toHaveCount(1);
});

test(
  "an agent behind A2A speaks the language of the chat, also on its page",
  { tag: "@long" },
  async ({ page, demo }) => {
    await page.addInitScript(() => localStorage.setItem("elicit-kit-demo language", "ar"));
    await page.goto(demo.chat);
    await page.locator("#message").fill("Ask the travel agent for a weekend");
    await page.keyboard.press("Enter");
    const card = page.locator("[data-elicitation]");
    await expect(card).toContainText("لرؤية نقاطك، يحتاج وكيل السفر إلى حسابك.");
    const opened = page.waitForEvent("popup");
    await card.locator(".elicit-primary").click();
    const travel = await opened;
    await travel.setViewportSize({ width: 500, height: 650 });
    await expect(travel.getByRole("heading")).toHaveText("هل تسمح لوكيل السفر باستخدام نقاطك؟");
    expect(await violations(travel)).toEqual([]);
    expect(await travel.evaluate(() => document.documentElement.scrollHeight)).toBe(650);
    await travel.getByRole("button", { name: "رفض" }).click();
    await expect(travel.getByRole("heading")).toHaveText("لن يحصل وكيل السفر على شيء");
    await expect(page.locator(".log")).toContainText("لم تُخطط عطلة، لأن الحساب غير مرتبط.");
  },
);
