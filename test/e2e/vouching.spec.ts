import { expect, type Page, test as base } from "@playwright/test";
import { type Setting, type Sites, startSites } from "./vouching/sites.ts";

/**
 * The tests of vouching (see `src/connect/page/identity/vouching.test.ts`) that need a browser. The hosted page
 * identifies users only through the chat.
 */
const test = base.extend<{ setting: Setting; sites: Sites }>({
  setting: [{}, { option: true }],
  sites: async ({ setting }, use) => {
    const sites = await startSites(setting);
    await use(sites);
    await sites.close();
  },
});

async function openChat(page: Page, sites: Sites, query = ""): Promise<string> {
  const link = await sites.ask();
  await page.goto(`${sites.chat}/${query}`);
  await expect(page.locator("#state")).toHaveText("pending");
  return link;
}

async function connect(page: Page): Promise<Page> {
  const opening = page.waitForEvent("popup");
  await page.locator("#connect").click();
  return opening;
}

const knows = (page: Page) => expect(page.getByRole("button", { name: "Continue to Tracker" })).toBeEnabled();

test("the hosted page recognises the user in a window of the chat, in another tab, and after a reload", async ({
  page,
  context,
  sites,
}) => {
  const link = await openChat(page, sites);
  const popup = await connect(page);
  await knows(popup);
  await expect(popup.getByText("Ada (ada)", { exact: true }).last()).toBeVisible();
  await popup.reload();
  await knows(popup);
  const tab = await context.newPage();
  await tab.goto(link);
  await knows(tab);
  // No step of the way stays in the history: one step back is the page that the user came from.
  await tab.goBack();
  expect(tab.url()).toBe("about:blank");
});

/** The requests of a window to a server, and the documents that it shows. The others redirect. */
async function loads(page: Page): Promise<{ requests: readonly string[]; documents: readonly string[] }> {
  const requests: string[] = [];
  const documents: string[] = [];
  page.context().on("response", (response) => {
    const request = response.request();
    if (request.frame().page() === page) return;
    const { pathname } = new URL(request.url());
    requests.push(pathname);
    if (request.resourceType() === "document" && response.status() < 300) documents.push(pathname);
  });
  await knows(await connect(page));
  return { requests, documents };
}

test(
  "the window shows two documents before its button can be pressed, and loads no other files",
  { tag: "@long" },
  async ({ page, sites }) => {
    await openChat(page, sites);
    const { requests, documents } = await loads(page);
    expect(documents).toEqual(["/auth/connect", "/auth/connect"]);
    expect(requests.map((path) => path.split("/").at(-1))).toEqual([
      "connect",
      "vouch",
      "vouched",
      "connect",
    ]);
  },
);

test("neither a link unfurler nor a frame gets any information from the hosted page", async ({
  page,
  request,
  sites,
}) => {
  const link = await openChat(page, sites);
  expect(await (await request.get(link)).text()).not.toMatch(/Tracker|\bAda\b|Demo/);
  const framed = page.waitForResponse((response) => response.url() === link);
  await page.evaluate((src) => {
    const frame = document.createElement("iframe");
    frame.src = src;
    document.body.append(frame);
  }, link);
  expect((await framed).status()).toBe(403);
  expect((await framed).headers()["refresh"]).toBeUndefined();
});

test.describe("a chat with a service worker", () => {
  test.use({ setting: { hasServiceWorker: true } });

  test(
    "can vouch even if the service worker forwards its HTTP requests",
    { tag: "@long" },
    async ({ page, context, sites }) => {
      const link = await openChat(page, sites);
      await knows(await connect(page));
      await context.clearCookies({ domain: new URL(sites.hosted).hostname });
      const tab = await context.newPage();
      await tab.goto(link);
      await knows(tab);
      const ways = () => sites.passed.filter((path) => path.endsWith("/vouch"));
      await expect.poll(ways, "the worker was on the way").toHaveLength(2);
    },
  );
});

test.describe("on one site with the chat, and with a SameSite=Strict session,", () => {
  test.use({ setting: { sameSite: "Strict", isOneSite: true } });

  test(
    "a link in an email opens a page that recognises the user",
    { tag: "@long" },
    async ({ page, sites }) => {
      await openChat(page, sites);
      await page.goto(sites.mail);
      await page.getByRole("link", { name: "Connect your account" }).click();
      await knows(page);
    },
  );
});

test.describe("an app that sets a Cross-Origin-Opener-Policy on all pages", () => {
  test.use({ setting: { coop: "same-origin-allow-popups" } });

  test("keeps the opener of the hosted page", { tag: "@long" }, async ({ page, sites }) => {
    await openChat(page, sites);
    const popup = await connect(page);
    await knows(popup);
    await popup.evaluate("opener.postMessage({ type: 'hello' }, '*')");
    await expect(page.locator("#heard")).toHaveText("hello ");
  });
});

test.describe("a chat whose identity is a token", () => {
  test.use({ setting: { vouches: false } });

  test(
    "opens a window that shows two documents, each loaded with one HTTP request",
    { tag: "@long" },
    async ({ page, sites }) => {
      await openChat(page, sites, "?token");
      const { requests, documents } = await loads(page);
      expect(documents).toEqual(["/auth/connect", "/auth/connect"]);
      expect(requests.map((path) => path.split("/").at(-1))).toEqual(["connect", "vouched", "connect"]);
    },
  );

  test("vouches through its window, and the hosted page recognises the user", async ({ page, sites }) => {
    const link = await openChat(page, sites, "?token");
    const popup = await connect(page);
    await knows(popup);
    await expect(page.locator("#heard")).toHaveText(/^elicitation-bind /);
    await popup.reload();
    await knows(popup);
    expect(await sites.status()).toMatchObject({ status: "pending" });
    // Without that window the chat cannot vouch, and the page shows no useless button.
    const profile = await page.context().browser()?.newContext();
    const stranger = await profile?.newPage();
    await stranger?.goto(link);
    await expect(stranger!.getByRole("alert")).toContainText("Press Connect there to open it.");
    await expect(stranger!.getByRole("button")).toHaveCount(0);
    await profile?.close();
  });

  test(
    "vouches in the tab of a link when the browser opens no window",
    { tag: "@long" },
    async ({ page, sites }) => {
      await page.addInitScript("window.open = () => null");
      await openChat(page, sites, "?token");
      await page.locator("#connect").click();
      const opening = page.waitForEvent("popup");
      await page.getByRole("link", { name: "Open in a new tab" }).click();
      const tab = await opening;
      await knows(tab);
      await tab.getByRole("button", { name: "Decline" }).click();
      await expect(page.locator("#state")).toHaveText("declined");
    },
  );

  test(
    "does not reply at first, and the hosted page says so and keeps asking",
    { tag: "@long" },
    async ({ page, sites }) => {
      await openChat(page, sites, "?token");
      await page.route("**/bind", (route) => route.abort());
      const popup = await connect(page);
      await expect(popup.getByRole("status")).toHaveText("Checking with your chat that this is you.");
      await expect(popup.getByRole("alert")).toBeVisible();
      await expect(popup.getByRole("link", { name: "Try again" })).toBeVisible();
      await page.unroute("**/bind");
      await knows(popup);
    },
  );
});
