import { expect, test as base } from "@playwright/test";
import { scenarios } from "elicit-kit/mock-server";
import { type StartedMockServer, startMockServer } from "elicit-kit/mock-server/node";

const test = base.extend<{ server: StartedMockServer }>({
  // The app calls its own origin as in production, and the mock server replies.
  async server({ page }, use) {
    const server = await startMockServer(scenarios.connect);
    await page.route("**/run/api/**", (route) => {
      const { pathname, search } = new URL(route.request().url());
      return route.continue({ url: server.url + pathname + search });
    });
    await use(server);
    await server.close();
  },
});

test("the agent continues once the account is connected in the popup", async ({ page, server }) => {
  await page.goto("/");
  await page.getByRole("textbox").fill("Create an issue");
  await page.keyboard.press("Enter");
  const popup = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Connect" }).click();
  await (await popup).getByRole("button", { name: "Connect" }).click();
  await expect(page.getByText("Done: TRK-42.")).toBeVisible();
  expect(server.pending()).toEqual([]);
});

test("the card shows the reason when the provider refuses", async ({ page, server }) => {
  await page.goto("/");
  await page.getByRole("textbox").fill("Create an issue");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Connect" }).waitFor();
  await server.failOutside("Your organisation does not allow this app.");
  const card = page.getByRole("group", { name: "Connect Tracker" });
  await expect(card).toContainText("Your organisation does not allow this app.");
});
