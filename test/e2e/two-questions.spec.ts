import type { Locator, Page } from "@playwright/test";
import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

const SCREENS = [
  ["on a phone", { width: 390, height: 700 }],
  ["on a small phone", { width: 320, height: 640 }],
  ["at 200 % text", { width: 195, height: 350 }],
] as const;

/** The controls of the cards that are covered by another element when they have the focus. */
function covered(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      "[data-elicitation] :is(button, input, select, textarea):not([tabindex='-1'])",
    );
    return [...controls].flatMap((control) => {
      // On a phone, the button for a phone is not shown.
      if (!control.checkVisibility()) return [];
      control.focus();
      const { left, top, width, height } = control.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      const card = control.closest("[data-elicitation]");
      return seen !== null && card?.contains(seen) === true ? [] : [control.outerHTML];
    });
  });
}

const topOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.y ?? Number.NaN;

for (const [where, viewport] of SCREENS) {
  test.describe(where, () => {
    test.use({ viewport, hasTouch: true });

    test(
      "the first of two questions has the focus and is visible, and the cards' controls are never covered",
      { tag: "@long" },
      async ({ page, demo }) => {
        const chat = new ChatPage(page, demo);
        await chat.open();
        // A user who is typing would keep the focus.
        await chat.suggest(/Do both/);
        const heading = chat.connectCards.getByRole("heading");
        await expect(chat.formCards).toHaveCount(1);
        await expect(heading).toBeFocused();
        await expect(heading).toBeInViewport();
        await expect(chat.log).toContainText("Question 1 of 2");
        await expect(chat.log).toContainText("Question 2 of 2");
        // No more movement, except that a card fades in from 4 px below.
        const before = await topOf(heading);
        await page.waitForTimeout(500);
        expect(Math.abs((await topOf(heading)) - before)).toBeLessThan(5);
        expect(await covered(page)).toEqual([]);
        const widest = await page.evaluate(() =>
          Math.max(
            ...[...document.querySelectorAll(".log *")].map((one) => one.getBoundingClientRect().right),
          ),
        );
        expect(widest).toBeLessThanOrEqual(viewport.width);

        await chat.formCards.getByRole("button", { name: "Decline" }).tap();
        const again = page.getByRole("button", { name: "Ask again" });
        await expect(again).toBeVisible();
        const { width = 0, height = 0 } = (await again.boundingBox()) ?? {};
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
        expect(await covered(page)).toEqual([]);
      },
    );
  });
}

test.describe("on a screen of a phone's height,", () => {
  test.use({ viewport: { width: 390, height: 700 } });

  test("the first of two questions is in view even after a typed message", async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await page.getByLabel("Message").fill("Do both: an issue and a flight");
    await page.keyboard.press("Enter");
    await expect(chat.formCards).toHaveCount(1);
    await expect(page.getByLabel("Message")).toBeFocused();
    await expect(chat.connectCards.getByRole("heading")).toBeInViewport();
    await expect(chat.connectCards.getByRole("button", { name: "Connect" })).toBeInViewport();
  });

  test(
    "the text field of “No, and …” opens above the composer, with its button and the name of the reader",
    { tag: "@long" },
    async ({ page, demo }) => {
      const chat = new ChatPage(page, demo);
      await chat.openForm();
      await chat.formCards.getByRole("button", { name: "No, and …" }).click();
      const hint = chat.formCards.getByText("Only Demo agent reads this");
      const composer = page.locator(".dock-box");
      await expect
        .poll(async () => {
          const [line, box] = [await hint.boundingBox(), await composer.boundingBox()];
          return (line?.y ?? Number.NaN) + (line?.height ?? 0) <= (box?.y ?? 0);
        })
        .toBe(true);
      expect(await covered(page)).toEqual([]);
    },
  );
});

for (const { width, size } of [
  { width: 390, size: "200%" },
  { width: 320, size: "100%" },
]) {
  test(
    `nothing of the page is cut off at ${width} px with text at ${size}`,
    { tag: "@long" },
    async ({ page, demo }) => {
      await page.setViewportSize({ width, height: 800 });
      const chat = new ChatPage(page, demo);
      await chat.open();
      await chat.say("Do both: an issue and a flight");
      await expect(chat.formCards).toBeVisible();
      await page.evaluate((text) => (document.documentElement.style.fontSize = text), size);
      const cut = () =>
        page.evaluate(() => {
          const parts = document.querySelectorAll<HTMLElement>(
            "header > *, header h1, .strip > *, .strip .pill, .composer > *",
          );
          return [...parts]
            .filter(({ offsetWidth }) => offsetWidth > 1)
            .filter(
              (part) =>
                part.getBoundingClientRect().right > innerWidth ||
                (part.matches("h1") && part.scrollWidth > part.clientWidth),
            )
            .map((part) => part.outerHTML.slice(0, 80));
        });
      await expect.poll(cut).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    },
  );
}

test(
  "the button that leads to a hidden question shows its direction",
  { tag: "@long" },
  async ({ page, demo }) => {
    await page.setViewportSize({ width: 390, height: 600 });
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Do both: an issue and a flight");
    await expect(chat.formCards).toHaveCount(1);
    const pill = page.locator(".pill");
    await page.evaluate(() => scrollTo(0, 0));
    await expect(pill.locator("[data-icon=down]")).toBeVisible();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(pill.locator("[data-icon=up]")).toBeVisible();
    await pill.click();
    await expect(chat.connectCards.getByRole("heading")).toBeFocused();
  },
);

test(
  "at 320 px the count of waiting questions covers no button of a card",
  { tag: "@long" },
  async ({ page, demo }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Do both: an issue and a flight");
    await expect(chat.formCards).toHaveCount(1);
    await page.evaluate(() => scrollTo(0, 0));
    await expect(page.getByRole("button", { name: "2 questions waiting" })).toBeVisible();
    for (const name of ["Connect", "Decline"]) {
      const button = chat.connectCards.getByRole("button", { name, exact: true });
      const isFree = await button.evaluate((element) => {
        element.scrollIntoView({ block: "end" });
        const { x, y, width, height } = element.getBoundingClientRect();
        const points = [y + 2, y + height - 2].map((at) => document.elementFromPoint(x + width / 2, at));
        return points.every((hit) => element.contains(hit));
      });
      expect(isFree, name).toBe(true);
    }
  },
);
