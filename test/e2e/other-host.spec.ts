/** The page "Inside another host": a chat with the AppBridge of ext-apps, and in it a card of our MCP server. */
import type { Page } from "@playwright/test";
import { type Demo, expect, test } from "./demo.ts";

// The transport of ext-apps logs every message.
test.use({ expectedInConsole: /^debug: (Parsed|Sending|Ignoring) message/ });

const shot = (page: Page, name: string) =>
  process.env["SCREENSHOTS"] === undefined
    ? Promise.resolve()
    : page.screenshot({ path: `${process.env["SCREENSHOTS"]}/host-${name}.png`, fullPage: true });

async function openHost(page: Page, demo: Demo): Promise<void> {
  await page.goto(/^ *host +(\S+)/m.exec(demo.output())?.[1] ?? "");
  await expect(page.getByRole("heading", { name: "Inside another host" })).toBeVisible();
}

test("the chat links to the other host, and back", { tag: "@long" }, async ({ page, demo }) => {
  await page.goto(demo.chat);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("link", { name: "Inside another host" }).click();
  await expect(page.getByRole("heading", { name: "Inside another host" })).toBeVisible();
  await page.getByRole("link", { name: "Back to the demo’s chat" }).click();
  await expect(page.getByRole("heading", { name: "The agent asks you, then continues" })).toBeVisible();
});

const card = (page: Page) => page.frameLocator("iframe").last().frameLocator("iframe");

async function answer(page: Page): Promise<void> {
  await card(page).getByRole("textbox", { name: "City" }).fill("Porto");
  await card(page).getByRole("radio", { name: "Express" }).check();
  await shot(page, "form");
  await card(page).getByRole("button", { name: "Send" }).click();
  await card(page).getByRole("radio", { name: "Noon" }).check();
  await card(page).getByRole("button", { name: "Send" }).click();
}

test("the page fits on the smallest phone", { tag: "@long" }, async ({ page, demo }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await openHost(page, demo);
  const overflow = await page.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth);
  expect(overflow).toBe(0);
});

const BOOKED = "The courier comes tomorrow: Noon, to Porto, express.";

test("the corners of a card in the dark show the host's ground", { tag: "@long" }, async ({ page, demo }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await openHost(page, demo);
  await page.getByRole("button", { name: "Send the parcel to Lisbon" }).click();
  await expect(card(page).getByRole("textbox", { name: "City" })).toBeVisible();
  const { x = 0, y = 0 } = (await page.locator("iframe").last().boundingBox()) ?? {};
  const pixels = (left: number) =>
    page.screenshot({ clip: { x: Math.ceil(left), y: Math.ceil(y), width: 1, height: 1 } });
  expect((await pixels(x)).equals(await pixels(x - 4))).toBe(true);
});

test("a card asks two questions, and the same call returns the tool's result", async ({ page, demo }) => {
  await openHost(page, demo);
  await page.getByRole("button", { name: "Send the parcel to Lisbon" }).click();
  await answer(page);
  const reply = page.getByRole("status");
  await expect(reply).toContainText(BOOKED);
  await expect(reply).toContainText("The same call returned this.");
});

test(
  "a card opens a page, and the call continues when the user has paid there",
  { tag: "@long" },
  async ({ page, demo }) => {
    await openHost(page, demo);
    await page.getByRole("button", { name: "Pay the courier" }).click();
    await expect(card(page).getByText("/pay/")).toBeVisible();
    await shot(page, "page");
    const opening = page.context().waitForEvent("page");
    await card(page).getByRole("button", { name: "Open page" }).click();
    const paying = await opening;
    await paying.getByRole("button", { name: "Pay 18 €" }).click();
    await expect(paying.getByRole("heading", { name: "Paid" })).toBeVisible();
    await expect(page.getByRole("status")).toContainText("The courier is paid.");
  },
);

test(
  "a card that appears after the result passes the answer to the waiting model, or sends it as a message",
  {
    tag: "@long",
  },
  async ({ page, demo }) => {
    await openHost(page, demo);
    const way = page.getByLabel("The host shows the card");
    await way.selectOption("after the result, and the model waits");
    await page.getByRole("button", { name: "Send the parcel to Lisbon" }).click();
    await answer(page);
    const reply = page.getByRole("status");
    await expect(reply).toContainText(BOOKED);
    await expect(reply).toContainText("The model waited for this");

    await way.selectOption("after the result, and the model does not wait");
    await page.getByRole("button", { name: "Send the parcel to Lisbon" }).click();
    await answer(page);
    await expect(reply.last()).toContainText(BOOKED);
    await expect(reply.last()).toContainText("The card continued the call");
  },
);
