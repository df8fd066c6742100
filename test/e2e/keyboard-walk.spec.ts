/** The journeys by keyboard alone, with the keys of a real browser. After each key, an element has the focus. */
import { createServer } from "node:http";
import { expect, type Page, test } from "@playwright/test";
import { bundlePage } from "./bundle.ts";
import { type Listening, listen } from "../stages/listen.ts";
import { focusOf, walkThereAndBack, walkTo, watchFocus } from "./keyboard-walk/walker.ts";

test.describe("in a page with the built package,", () => {
  // Each key waits for the page, and there are many.
  test.slow();
  let server: Listening;

  test.beforeAll(async () => {
    const files = await bundlePage("keyboard-walk/page.tsx");
    const fileOf = (end: string) => files.find(({ path }) => path.endsWith(end))?.text ?? "";
    const page = `<!doctype html><html lang="en"><title>Cards</title><style>${fileOf(".css")}</style>
<div id="root"></div><script type="module" src="/page.js"></script></html>`;
    server = await listen(
      createServer((request, response) => {
        const isScript = request.url === "/page.js";
        response.setHeader("content-type", `${isScript ? "text/javascript" : "text/html"}; charset=utf-8`);
        response.end(isScript ? fileOf(".js") : page);
      }),
    );
  });
  test.afterAll(() => server.close());

  async function open(page: Page, view: string): Promise<void> {
    await watchFocus(page.context());
    await page.goto(`${server.url}/?${view}`);
    await page.getByRole("button", { name: view === "dialog" ? "Ask" : "Before" }).focus();
  }

  test("Tab stops once at every control of a form, also after typing, and Shift+Tab returns", async ({
    page,
  }) => {
    await open(page, "controls");
    expect(await walkThereAndBack(page, /^button After/, "1")).toEqual([
      "button Not now",
      "input Name",
      "input Mail",
      "textarea Story",
      "input Count",
      "input Day",
      "input Volume",
      "radio Stars",
      "input Newsletter",
      "radio Size",
      "select Month",
      "input Search",
      "radio City",
      "input a",
      "input b",
      "button Send",
      "button Decline",
      "button No, and …",
      "button After",
    ]);
  });

  test("Enter leads through the steps, and the focus follows to each question", async ({ page }) => {
    await open(page, "steps");
    await walkTo(page, /^input Street/);
    const hint = () => page.evaluate(() => document.activeElement?.getAttribute("enterkeyhint"));
    expect(await hint()).toBe("next");
    await page.keyboard.type("Main Street 1");
    await page.keyboard.press("Enter");
    await expect.poll(() => focusOf(page)).toMatch(/^input Town/);
    await page.keyboard.type("Porto");
    await page.keyboard.press("Enter");
    await expect.poll(() => focusOf(page)).toMatch(/^radio /);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => focusOf(page)).toMatch(/^input Note/);
  });

  test("the dock and the dialog keep the focus, and the dialog gives it back", async ({ page }) => {
    await open(page, "dock");
    expect(await walkTo(page, /^button After/)).toEqual([
      "button Not now",
      "input City",
      "button Send",
      "button Decline",
      "button No, and …",
      "button Back",
      "button Next",
      "button Write a message",
      "button After",
    ]);

    await open(page, "dialog");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    await walkTo(page, /^input City/);
    await page.keyboard.type("Porto");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(page.getByRole("button", { name: "Ask" })).toBeFocused();
  });

  test("a choice with own words: arrows and digits choose, typed digits are text, and Enter sends", async ({
    page,
  }) => {
    await open(page, "words");
    expect(await walkThereAndBack(page, /^button After/, "2")).toEqual([
      "button Not now",
      "radio Seat",
      "textarea or say it in your own words…",
      "button Send",
      "button Decline",
      "button No, and …",
      "button After",
    ]);
    await walkTo(page, /^textarea or/);
    await page.keyboard.press("Enter");
    const receipt = page.locator("[data-over]");
    await expect(receipt).toContainText("2");
    await expect(receipt.getByRole("heading")).toBeFocused();
  });

  test("Escape leaves a control, then asks in the card, and its buttons take the focus", async ({ page }) => {
    await open(page, "controls");
    await walkTo(page, /^input Name/);
    await page.keyboard.type("Ada");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect.poll(() => focusOf(page)).toBe("button Keep editing");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Discard what you typed?")).toBeHidden();
    expect(await focusOf(page)).not.toBe("body");
    await expect(page.getByLabel("Name")).toHaveValue("Ada");
  });

  test("No, and …: the field takes the focus, and Back returns it to its button", async ({ page }) => {
    await open(page, "words");
    await walkTo(page, /^button No, and/);
    await page.keyboard.press("Enter");
    await expect.poll(() => focusOf(page)).toMatch(/^(input|textarea) No, and/);
    await page.keyboard.type("only direct flights");
    await walkTo(page, /^button Back/);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "No, and …" })).toBeFocused();
  });

  test("the inbox: arrows move between rows, Enter opens, Escape closes, and Send leads to the next row", async ({
    page,
  }) => {
    await open(page, "inbox");
    await walkTo(page, /^button Where should/);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focusOf(page)).toMatch(/^button Which seat/);
    await page.keyboard.press("Enter");
    await expect.poll(() => focusOf(page)).toMatch(/^h\d Which seat/);
    await page.keyboard.press("Escape");
    await expect.poll(() => focusOf(page)).toMatch(/^button Which seat/);
    await page.keyboard.press("Enter");
    await walkTo(page, /^radio Seat/);
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await expect.poll(() => focusOf(page)).toMatch(/^button Where should/);
  });
});
