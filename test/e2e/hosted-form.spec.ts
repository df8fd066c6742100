import { type Page, expect, test } from "@playwright/test";
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
