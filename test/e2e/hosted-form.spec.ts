import { type Page, expect, test } from "@playwright/test";
import { createSkippingClock } from "../stages/skipping-clock.ts";
import { startHostedSite } from "./hosted-page/site.ts";
import { startSites } from "./vouching/sites.ts";

const TRIP = {
  mode: "form",
  message: "Which trip?",
  requestedSchema: {
    type: "object",
    required: ["city"],
    properties: {
      city: { type: "string", title: "City" },
      seat: { type: "string", title: "Seat", oneOf: [seat("a", "Aisle"), seat("w", "Window")] },
      meal: { type: "boolean", title: "Meal" },
    },
  },
} as const;

function seat(value: string, title: string) {
  return { const: value, title };
}

async function fill(page: Page): Promise<void> {
  await page.getByLabel("City").fill("Lisbon");
  await page.getByRole("radio", { name: "Window" }).check();
  await page.getByRole("checkbox", { name: "Meal" }).check();
}

async function expectFilled(page: Page): Promise<void> {
  await expect(page.getByLabel("City")).toHaveValue("Lisbon");
  await expect(page.getByRole("radio", { name: "Window" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Meal" })).toBeChecked();
}

test("a user who presses More time keeps what they have typed", async ({ page }) => {
  const sites = await startSites({ form: TRIP });
  const link = await sites.ask();
  await page.goto(sites.chat);
  await page.goto(link);
  await expect(page.getByText("in 10 minutes")).toBeVisible();
  await fill(page);
  await page.getByRole("button", { name: "More time" }).click();
  await expect(page.getByText("in 20 minutes")).toBeVisible();
  await expectFilled(page);
  await sites.close();
});

for (const button of ["Send", "More time"]) {
  test(`a user who fills in a form for longer than the page knows them, and then presses ${button}, keeps what they have typed`, async ({
    page,
  }) => {
    const clock = createSkippingClock();
    const sites = await startSites({ form: TRIP, clock });
    const link = await sites.ask();
    await page.goto(sites.chat);
    await page.goto(link);
    await fill(page);
    clock.skip(6 * 60_000);
    const again = page.waitForResponse((response) => response.url().includes("/auth/vouched"));
    await page.getByRole("button", { name: button }).click();
    await again;
    await expectFilled(page);
    expect(await sites.status()).toMatchObject({ status: "pending" });
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("heading", { name: "Sent" })).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await sites.close();
  });
}

test("a form with a secret keeps nothing of what was typed", async ({ page }) => {
  const clock = createSkippingClock();
  const key = { type: "string", title: "API key" } as const;
  const form = { ...TRIP, requestedSchema: { type: "object", properties: { key } } } as const;
  const sites = await startSites({ form, clock });
  const link = await sites.ask();
  await page.goto(sites.chat);
  await page.goto(link);
  await page.getByLabel("API key").fill("sk-1");
  clock.skip(6 * 60_000);
  const again = page.waitForResponse((response) => response.url().includes("/auth/vouched"));
  await page.getByRole("button", { name: "Send" }).click();
  await again;
  await expect(page.getByLabel("API key")).toHaveValue("");
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await sites.close();
});

test("a page with a key that could not be tested does not send it again by itself", async ({
  page,
  context,
}) => {
  const tested: string[] = [];
  const site = await startHostedSite({
    providers: {
      tracker: {
        service: "Tracker",
        apiKey: {
          async check(key) {
            tested.push(key);
            if (tested.length === 1) throw new Error("The service is down.");
            return true;
          },
        },
      },
    },
  });
  const send = async (tab: Page, key: string) => {
    await tab.getByLabel("key").first().fill(key);
    await tab.getByRole("button", { name: "Save" }).click();
  };
  const link = await site.link();
  await page.goto(link);
  await send(page, "old");
  await expect(page.getByRole("alert")).toBeVisible();
  const other = await context.newPage();
  await other.goto(link);
  await send(other, "new");
  const connected = (tab: Page) => expect(tab.getByRole("heading")).toHaveText("Tracker is connected");
  await connected(other);
  // As when the user returns to the first tab.
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await connected(page);
  expect(tested).toEqual(["old", "new"]);
  await site.close();
});
