import { type BrowserContext, expect, type Locator, type Page, test as base } from "@playwright/test";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";
import { clickAndMayClose, closedBy } from "./closing.ts";
import { hostedPage, type Sites, startSites, type Walk } from "./popup-matrix/sites.ts";

const { args, ...launch } = chromiumLaunchOptions();

const test = base.extend<object, { sites: Sites }>({
  sites: [
    async ({ browserName }, use) => {
      expect(browserName, "the rows state what Chromium does").toBe("chromium");
      const sites = await startSites();
      await use(sites);
      await sites.close();
    },
    { scope: "worker" },
  ],
});

test.use({
  launchOptions: {
    ...launch,
    // Test runners disable the features under test: the popup blocker, and storage partitioned by top-level site. The
    // last list of features is used.
    ignoreDefaultArgs: ["--disable-popup-blocking"],
    args: [...args, "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable"],
  },
});

/** The setup of chat, page and provider. */
interface Setting extends Omit<Walk, "id"> {
  /** Cross-Origin-Opener-Policy of the chat. */
  chatCoop?: string | undefined;
  /** Another site frames the chat. A string is the frame's `sandbox`. */
  frame?: true | string | undefined;
  /** Whether the chat trusts the hosted page's origin. @default true */
  trusted?: boolean | undefined;
}

/** A visible chat, and its observable state. */
interface Chat {
  page: Page;
  connect: Locator;
  link: Locator;
  state: Locator;
  /** Every hint, in order, and the challenges. */
  signs: Locator;
  /** The URL of the hosted page. */
  url: string;
}

let requests = 0;

async function openChat(
  context: BrowserContext,
  sites: Sites,
  { chatCoop, frame, trusted = true, ...walk }: Setting,
  ...flags: ("auto" | "keep")[]
): Promise<Chat> {
  const id = `e${process.pid}-${(requests += 1)}`;
  const url = hostedPage(sites, { id, ...walk });
  const query = new URLSearchParams({ id, url });
  if (trusted) query.set("trusted", sites.hosted);
  if (chatCoop !== undefined) query.set("coop", chatCoop);
  for (const flag of flags) query.set(flag, "");
  const embedding = new URLSearchParams({ chat: `${query}` });
  if (typeof frame === "string") embedding.set("sandbox", frame);
  const page = await context.newPage();
  await page.goto(frame === undefined ? `${sites.chat}/chat?${query}` : `${sites.embedder}/?${embedding}`);
  const root = frame === undefined ? page : page.frameLocator("iframe");
  const part = (name: string): Locator => root.locator(`#${name}`);
  return {
    page,
    url,
    connect: part("connect"),
    link: part("link"),
    state: part("state"),
    signs: part("signs"),
  };
}

/** Clicks, and returns the loaded page that opens. */
async function clickOpens(context: BrowserContext, target: Locator): Promise<Page> {
  const opening = context.waitForEvent("page");
  await target.click();
  const opened = await opening;
  await expect(opened.getByRole("button", { name: "Continue" })).toBeVisible();
  return opened;
}

async function signIn(popup: Page): Promise<void> {
  await popup.getByRole("button", { name: "Continue" }).click();
  await clickAndMayClose(popup.getByRole("button", { name: "Allow" }));
}

interface Row extends Setting {
  title: string;
  /** Whether the hosted page has an opener. */
  opener: boolean;
  /** Whether the window looks closed to the chat while the user is at the provider. */
  looksClosed: boolean;
  /** The messages from a page that the chat receives. */
  hears: readonly ("bind:c" | "complete" | "message" | "broadcast")[];
}

const POPUPS = "allow-scripts allow-popups allow-popups-to-escape-sandbox";

/**
 * Each row ends with the server's status. The columns say which hints arrive, and pin the known behaviour of browsers.
 */
const rows: readonly Row[] = [
  { title: "no policy anywhere", opener: true, looksClosed: false, hears: ["bind:c", "complete"] },
  ...["same-origin", "same-origin-allow-popups", "noopener-allow-popups"].map((coop): Row => ({
    title: `a provider with ${coop}`,
    coop,
    opener: true,
    looksClosed: true,
    hears: ["bind:c"],
  })),
  {
    title: "a provider with same-origin, and a last page of the chat's origin",
    coop: "same-origin",
    end: "chat",
    opener: true,
    looksClosed: true,
    hears: ["bind:c", "broadcast"],
  },
  {
    title: "a chat with same-origin-allow-popups",
    chatCoop: "same-origin-allow-popups",
    opener: true,
    looksClosed: false,
    hears: ["bind:c", "complete"],
  },
  { title: "a chat with same-origin", chatCoop: "same-origin", opener: false, looksClosed: true, hears: [] },
  { title: "a page that is not trusted", trusted: false, opener: false, looksClosed: false, hears: [] },
  {
    title: "a chat framed by another site",
    frame: true,
    opener: true,
    looksClosed: false,
    hears: ["bind:c", "complete"],
  },
  {
    title: "a framed chat and a provider with same-origin",
    frame: true,
    coop: "same-origin",
    opener: true,
    looksClosed: true,
    hears: ["bind:c"],
  },
  {
    // The origin is the same, but storage inside the frame is partitioned: no message reaches the chat.
    title: "a framed chat, a provider with same-origin, and a last page of the chat's origin",
    frame: true,
    coop: "same-origin",
    end: "chat",
    opener: true,
    looksClosed: true,
    hears: ["bind:c"],
  },
  {
    title: "a chat in a sandbox that keeps its origin",
    frame: `${POPUPS} allow-same-origin`,
    opener: true,
    looksClosed: false,
    hears: ["bind:c", "complete"],
  },
  // The page posts only to the chat's real origin, and this chat has none.
  {
    title: "a chat in a sandbox without an origin",
    frame: POPUPS,
    opener: true,
    looksClosed: false,
    hears: [],
  },
];

const MAIN_ROWS = ["no policy anywhere", "a provider with same-origin"];

for (const { title, opener, looksClosed, hears, ...setting } of rows) {
  const tag = MAIN_ROWS.includes(title) ? [] : ["@long"];
  test(`the chat gets the outcome of the popup with ${title}`, { tag }, async ({ context, sites }) => {
    const chat = await openChat(context, sites, setting, "keep");
    const popup = await clickOpens(context, chat.connect);
    await expect(popup).toHaveTitle(opener ? "with opener" : "without opener");
    await popup.getByRole("button", { name: "Continue" }).click();
    await expect(popup.getByRole("button", { name: "Allow" })).toBeVisible();
    // Also proves that the row's policy is active.
    await expect(chat.signs).toHaveText(looksClosed ? /closed/ : /^(?!.*closed)/);
    // A window that looks closed is reported after 1.5 seconds, and ends nothing.
    await expect(chat.state).toHaveText(looksClosed ? "closed" : "open");

    await closedBy(popup, () => clickAndMayClose(popup.getByRole("button", { name: "Allow" })));
    await expect(chat.state).toHaveText("completed");
    for (const sign of hears) await expect(chat.signs).toContainText(sign);
    const heard = ((await chat.signs.textContent()) ?? "").split(" ");
    expect(heard.filter((sign) => /bind|complete|message|broadcast/.test(sign))).toEqual(hears);
  });
}

test(
  "the chat closes a popup that stays open after the end",
  { tag: "@long" },
  async ({ context, sites }) => {
    const chat = await openChat(context, sites, { stay: true });
    const popup = await clickOpens(context, chat.connect);
    await closedBy(popup, () => signIn(popup));
    await expect(chat.state).toHaveText("completed");
  },
);

for (const trusted of [true, false]) {
  test(
    `nothing is logged in the console when ${trusted ? "a trusted page" : "a page without an opener"} completes`,
    { tag: "@long" },
    async ({ context, sites }) => {
      const said: string[] = [];
      context.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
      const chat = await openChat(context, sites, { trusted, stay: true });
      const popup = await clickOpens(context, chat.connect);
      await signIn(popup);
      await expect(chat.state).toHaveText("completed");
      // This line reaches the console after all messages that closing the window has caused.
      await chat.page.evaluate(() => console.info("over"));
      await expect.poll(() => said).toContain("info: over");
      expect(said).toEqual(["info: over"]);
    },
  );
}

test("a second click on Connect opens no second popup", { tag: "@long" }, async ({ context, sites }) => {
  const chat = await openChat(context, sites, { trusted: false });
  const popup = await clickOpens(context, chat.connect);
  await popup.getByRole("button", { name: "Continue" }).click();
  await chat.connect.click();
  await expect(chat.state).toHaveText("open");
  expect(context.pages()).toEqual([chat.page, popup]);
  await clickAndMayClose(popup.getByRole("button", { name: "Allow" }));
  await expect(chat.state).toHaveText("completed");
});

test("the chat uses the same popup after a reload", { tag: "@long" }, async ({ context, sites }) => {
  const chat = await openChat(context, sites, {});
  const popup = await clickOpens(context, chat.connect);
  await popup.getByRole("button", { name: "Continue" }).click();
  await expect(popup.getByRole("button", { name: "Allow" })).toBeVisible();
  await chat.page.reload();
  await chat.connect.click();
  await expect(popup).toHaveTitle("with opener");
  expect(context.pages()).toEqual([chat.page, popup]);
  await signIn(popup);
  await expect(chat.state).toHaveText("completed");
});

test(
  "the chat opens a new popup after a reload if the page is not trusted",
  { tag: "@long" },
  async ({ context, sites }) => {
    const chat = await openChat(context, sites, { trusted: false });
    await clickOpens(context, chat.connect);
    await chat.page.reload();
    const second = await clickOpens(context, chat.connect);
    await expect(second).toHaveTitle("without opener");
    await signIn(second);
    await expect(chat.state).toHaveText("completed");
  },
);

test(
  "the user can try again when the popup is closed early",
  { tag: "@long" },
  async ({ context, sites }) => {
    const chat = await openChat(context, sites, {});
    const popup = await clickOpens(context, chat.connect);
    await popup.close();
    await expect(chat.signs).toContainText("closed");
    await expect(chat.state).toHaveText("closed");
    await signIn(await clickOpens(context, chat.connect));
    await expect(chat.state).toHaveText("completed");
  },
);

test(
  "the user can try again when the popup only looks closed, and the open popup still completes the request",
  { tag: "@long" },
  async ({ context, sites }) => {
    const chat = await openChat(context, sites, { coop: "same-origin" });
    const popup = await clickOpens(context, chat.connect);
    await popup.getByRole("button", { name: "Continue" }).click();
    await expect(chat.state).toHaveText("closed");
    await clickAndMayClose(popup.getByRole("button", { name: "Allow" }));
    // This window sends no more events, so polling detects its end.
    await expect(chat.state).toHaveText("completed");
  },
);

test("a popup that opens without a click is blocked, and the user connects through the link", async ({
  context,
  sites,
}) => {
  const chat = await openChat(context, sites, {}, "auto");
  await expect(chat.state).toHaveText("blocked");
  expect(context.pages()).toEqual([chat.page]);
  const tab = await clickOpens(context, chat.link);
  await expect(tab).toHaveTitle("without opener");
  await signIn(tab);
  await expect(chat.state).toHaveText("completed");
});

test(
  "a popup is blocked in a sandbox, and the user connects in a tab that they open",
  { tag: "@long" },
  async ({ context, sites }) => {
    const chat = await openChat(context, sites, { frame: "allow-scripts allow-same-origin" });
    await chat.connect.click();
    await expect(chat.state).toHaveText("blocked");
    await expect(chat.link).toHaveAttribute("href", chat.url);
    const tab = await context.newPage();
    await tab.goto(chat.url);
    await signIn(tab);
    await expect(chat.state).toHaveText("completed");
  },
);
