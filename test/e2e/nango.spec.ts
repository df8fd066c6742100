import { Nango } from "@nangohq/node";
import { expect, type Page, test as base } from "@playwright/test";
import { createRuntime } from "../../src/runtime/index.ts";
import { createMemoryCredentials } from "../../src/connect/ports/credentials.ts";
import { createHostedPage, withConnectors } from "../../src/connect/index.ts";
import { type Served, readNangoFrontend, serve } from "../../src/node/index.ts";
import { authenticateTestUser, createChatClient } from "../stages/chat-client.ts";
import { type MockNango, startMockNango } from "../stages/mock-nango.ts";
import { CONNECT, asking } from "../stages/test-runtime.ts";
import { clickAndMayClose } from "./closing.ts";

interface Stage {
  mock: MockNango;
  /** The page of Ada's request. She is signed in there. */
  url: string;
  status: () => Promise<unknown>;
  stop: () => Promise<unknown>;
  accessToken: () => Promise<string | undefined>;
}

/** The hosted page with the real packages of Nango, a mock of Nango itself, and Chromium in between. */
const test = base.extend<{ stage: Stage; trustsNango: boolean }>({
  trustsNango: [false, { option: true }],
  stage: async ({ page: window, trustsNango }, use) => {
    // The page would close by itself when it is complete, before the test has looked at it.
    await window.addInitScript("window.close = () => {}");
    const mock = await startMockNango();
    const nango = new Nango({ host: mock.url, apiKey: mock.apiKey, webhookSigningKey: mock.signingKey });
    const providers = { tracker: { service: "Linear", integration: "linear", nango } };
    const credentials = withConnectors(createMemoryCredentials(), { providers });
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const runtime = createRuntime({
      runTurn: asking(CONNECT),
      authenticate: authenticateTestUser,
      allowedOrigins: ["https://chat.example.com"],
      onError,
    });
    const nangoFrontend = await readNangoFrontend();
    let answer: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 });
    const served: Served = await serve({ fetch: (request) => answer(request) });
    const { elicitations } = runtime;
    const page = createHostedPage({
      origin: served.url,
      elicitations,
      credentials,
      providers,
      nangoFrontend,
      trustedProviderOrigins: trustsNango ? [mock.url] : [],
      onError,
      session: () => ({ id: "ada", name: "Ada" }),
    });
    answer = page.fetch;

    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    const { elicitationId } = await stream.request();
    await use({
      mock,
      url: `${served.url}/auth/connect?elicitationId=${elicitationId}`,
      status: async () => (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json(),
      stop: () => ada.fetch("/run/api/chat/c1/stop", { method: "POST" }),
      accessToken: async () => (await credentials.get("tracker", "ada"))?.accessToken,
    });
    await runtime.close();
    await served.close();
    await mock.close();
    expect(errors).toEqual([]);
  },
});

const button = (page: Page) => page.locator("form[data-nango] button");

async function open(page: Page, stage: Stage): Promise<Page> {
  await page.goto(stage.url);
  const opened = page.waitForEvent("popup");
  await button(page).click();
  return opened;
}

test("one click opens Nango's window, and when the user has allowed access, the page says so and the agent has a token", async ({
  page,
  stage,
}) => {
  await open(page, stage);
  await expect(page.getByRole("heading")).toHaveText("Linear is connected");
  expect(await stage.status()).toMatchObject({ status: "accepted" });
  expect(await stage.accessToken()).toMatch(/^at_1_/);
  expect(stage.mock.sessions.size).toBe(0);
});

test("the provider's pages cannot reach the hosted page", { tag: "@long" }, async ({ page, stage }) => {
  stage.mock.person = "page";
  const popup = await open(page, stage);
  await expect(popup.getByRole("link", { name: "Allow" })).toBeVisible();
  expect(await popup.evaluate("window.opener")).toBeNull();
  await clickAndMayClose(popup.getByRole("link", { name: "Allow" }));
  await expect(page.getByRole("heading")).toHaveText("Linear is connected");
});

test(
  "after the provider refuses, the page offers a retry, which works",
  { tag: "@long" },
  async ({ page, stage }) => {
    stage.mock.person = "deny";
    await open(page, stage);
    await expect(page.getByRole("alert")).toContainText("You cancelled at Linear. Nothing was connected.");
    stage.mock.person = "approve";
    await button(page).click();
    await expect(page.getByRole("heading")).toHaveText("Linear is connected");
  },
);

test(
  "the page is still usable when the provider's window is closed early",
  { tag: "@long" },
  async ({ page, stage }) => {
    stage.mock.person = "page";
    const popup = await open(page, stage);
    await expect(popup.getByRole("link", { name: "Allow" })).toBeVisible();
    await popup.close();
    await expect(page.getByRole("status")).toContainText("If it is closed, press the button again.");
    stage.mock.person = "approve";
    await button(page).click();
    await expect(page.getByRole("heading")).toHaveText("Linear is connected");
  },
);

test(
  "the page is still usable when the user has pressed the button in another tab since",
  { tag: "@long" },
  async ({ page, context, stage }) => {
    stage.mock.person = "page";
    for (const tab of [page, await context.newPage()]) {
      const popup = await open(tab, stage);
      await expect(popup.getByRole("link", { name: "Allow" })).toBeVisible();
      await popup.close();
    }
    stage.mock.person = "approve";
    await button(page).click();
    await expect(page.getByRole("heading")).toHaveText("Linear is connected");
  },
);

test("the hosted page says that the request was withdrawn", { tag: "@long" }, async ({ page, stage }) => {
  stage.mock.person = "page";
  const popup = await open(page, stage);
  await expect(popup.getByRole("link", { name: "Allow" })).toBeVisible();
  await stage.stop();
  await expect(page.getByRole("heading")).toHaveText("This request was withdrawn");
  expect(stage.mock.connections).toEqual([]);
});

test.describe("if the operator trusts Nango's origin", () => {
  test.use({ trustsNango: true });

  test(
    "the window keeps its opener, and is closed when the request ends",
    { tag: "@long" },
    async ({ page, stage }) => {
      stage.mock.person = "page";
      const popup = await open(page, stage);
      await expect(popup.getByRole("link", { name: "Allow" })).toBeVisible();
      expect(await popup.evaluate("window.opener !== null")).toBe(true);
      const closed = popup.waitForEvent("close");
      await stage.stop();
      await closed;
    },
  );
});

test(
  "when the browser blocks the window the page says so, and a second click opens it",
  { tag: "@long" },
  async ({ page, stage }) => {
    await page.addInitScript(`
    const open = window.open.bind(window);
    let isFirst = true;
    window.open = (...how) => isFirst ? (isFirst = false, null) : open(...how);
  `);
    await page.goto(stage.url);
    await button(page).click();
    await expect(page.getByRole("status")).toContainText("Press the button once more.");
    await button(page).click();
    await expect(page.getByRole("heading")).toHaveText("Linear is connected");
  },
);

test("the provider's window stays open when the user gets more time meanwhile", async ({ page, stage }) => {
  await page.clock.install();
  stage.mock.person = "page";
  const popup = await open(page, stage);
  await expect(popup.getByRole("link", { name: "Allow" })).toBeVisible();
  await page.locator("#more-time").dispatchEvent("click");
  await expect(page.locator("#ends")).toHaveText("in 20 minutes");
  // Longer than the request was open at first.
  await page.clock.fastForward("11:00");
  await clickAndMayClose(popup.getByRole("link", { name: "Allow" }));
  await expect(page.getByRole("heading")).toHaveText("Linear is connected");
});
