import { expect, type Page, test as base } from "@playwright/test";
import { startAuthorization } from "../stages/oauth-person.ts";
import { startOAuthServer } from "../../demo/server/oauth-server.ts";
import { violations } from "./axe.ts";

/** A browser at the page to which an application has sent a user. */
const test = base.extend<{ signIn: Page }>({
  signIn: async ({ page }, use) => {
    const oauth = await startOAuthServer({ port: 0 });
    oauth.registerResource("http://127.0.0.1:1/mcp", { title: "Demo tracker", scope: "issues:write" });
    // Returns to a page of the same server that shows "not found".
    const redirectUri = `${oauth.issuer}/came-back`;
    const client = await oauth.registerClient({ name: "Demo agent", redirectUri });
    const options = { issuer: oauth.issuer, client, redirectUri, scope: "issues:write" };
    await page.goto((await startAuthorization(options)).url.href);
    await use(page);
    await oauth.close();
  },
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, { tag: colorScheme === "dark" ? "@long" : [] }, () => {
    test.use({ colorScheme });

    test("the sign-in and consent pages of the demo can be completed by keyboard alone, without an axe violation", async ({
      signIn: page,
    }) => {
      await expect(page.getByRole("heading", { name: "Sign in to the demo tracker" })).toBeVisible();
      expect(await violations(page)).toEqual([]);

      // The browser would not submit an empty password, so the error must come from the server.
      await page.evaluate("document.forms[0].noValidate = true");
      await page.keyboard.press("Tab");
      await expect(page.getByLabel("Account")).toBeFocused();
      await page.keyboard.type("bob");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("alert")).toHaveText("Type any password.");
      await expect(page.getByLabel("Password")).toHaveAccessibleDescription(/any password will do.*Type any/);
      await expect(page.getByLabel("Account")).toHaveValue("bob");
      expect(await violations(page)).toEqual([]);

      await page.getByLabel("Password").press("x");
      await page.keyboard.press("Enter");
      await expect(
        page.getByRole("heading", { name: "Allow Demo agent to use your demo tracker?" }),
      ).toBeVisible();
      expect(await violations(page)).toEqual([]);

      await page.keyboard.press("Tab");
      await expect(page.getByRole("button", { name: "Allow" })).toBeFocused();
      await page.keyboard.press("Enter");
      await page.waitForURL(/came-back\?.*code=/);
    });
  });
}

test(
  "the button Deny returns to the application with a refusal",
  { tag: "@long" },
  async ({ signIn: page }) => {
    await page.getByLabel("Account").selectOption("bob");
    await page.getByLabel("Password").fill("any");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.waitForURL(/came-back\?.*error=access_denied/);
  },
);
