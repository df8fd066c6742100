/** The pages outside of the chat by keyboard alone: the hosted page, the answer page, and the card in another host. */
import { expect, test, type Page } from "@playwright/test";
import { type HostedSite, type SiteOptions, startHostedSite } from "./hosted-page/site.ts";
import { focusOf, walkThereAndBack, walkTo, watchFocus } from "./keyboard-walk/walker.ts";
import { call, result, test as hostTest, view } from "./mcp-app/stage.ts";

// Each key waits for the page, and there are many.
test.slow();
hostTest.slow();

async function onPage(
  page: Page,
  options: SiteOptions,
  use: (site: HostedSite, link: string) => Promise<void>,
): Promise<void> {
  const site = await startHostedSite(options);
  try {
    await watchFocus(page.context());
    const link = await site.link();
    await page.goto(link);
    await use(site, link);
  } finally {
    await site.close();
  }
}

const TRIP: NonNullable<SiteOptions["form"]> = {
  message: "Where do you want to go?",
  requestedSchema: {
    type: "object",
    properties: {
      city: { type: "string", title: "City", minLength: 3 },
      day: { type: "string", title: "Day", format: "date" },
      cabin: { type: "string", title: "Cabin", enum: ["Economy", "Business"] },
      note: { type: "string", title: "Note", maxLength: 900 },
    },
    required: ["city"],
  },
};

test("the hosted page: Tab comes to every control, and Not you? asks before it leaves", async ({ page }) => {
  await onPage(page, {}, async (site, link) => {
    expect(await walkTo(page, /^button Decline/)).toEqual([
      "button Not you?",
      "summary Details",
      "button Continue to Tracker",
      "button Decline",
    ]);
    await walkTo(page, /^button Not you/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("link", { name: "It is me" })).toBeVisible();
    await walkTo(page, /^button Decline/);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Use your own chat account");
    expect((await site.record(link))?.status).toBe("declined");
  });
});

test("the answer page: Enter sends, also after an error, and Shift+Tab returns", async ({ page }) => {
  await onPage(page, { form: TRIP }, async (site, link) => {
    await walkTo(page, /^input City/);
    expect(await walkThereAndBack(page, /^button Decline/, "1")).toEqual([
      "input Day",
      "radio Cabin Economy Business Not set",
      "textarea Note",
      "button Not you?",
      "summary No, and …",
      "button Send",
      "button Decline",
    ]);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("X");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toBeVisible();
    await walkTo(page, /^input City/);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Porto");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sent");
    expect((await site.record(link))?.status).toBe("accepted");
  });
});

hostTest("a card in another host: Tab comes to every control, and Enter answers", async ({ page, stage }) => {
  await watchFocus(page.context());
  await call(page, stage.url());
  const street = view(page).getByRole("textbox", { name: "Street" });
  await expect(street).toBeVisible();
  // The user may be typing in the page around the card.
  await expect(page.getByRole("button", { name: "Call" })).toBeFocused();
  const card = page.frames().at(-1) ?? page;
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  expect(await focusOf(card)).toBe("button Not now");
  expect(await walkTo(page, /^button Decline/, "Tab", "Rua 1", card)).toEqual([
    "input Street",
    "button Send",
    "button Decline",
  ]);
  await walkTo(page, /^input Street/, "Shift+Tab", "", card);
  await page.keyboard.press("Enter");
  await expect(view(page).getByRole("radio", { name: "express" })).toBeVisible();
  await expect.poll(() => focusOf(card)).toMatch(/^h\d How fast/);
  await page.keyboard.press("2");
  await page.keyboard.press("Enter");
  await expect(result(page)).toContainText("Booked express to Rua 1.");
});
