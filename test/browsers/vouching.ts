/**
 * Vouching in installed browsers that Playwright cannot drive: the same sites as `test/e2e/vouching.spec.ts`, which tests
 * Chromium. `node test/browsers/vouching.ts firefox|webkit PROGRAM …`; the exit code is 0 if the page identified the user
 * in every row.
 */
import { setTimeout } from "node:timers/promises";
import { type Setting, type Sites, startSites } from "../e2e/vouching/sites.ts";
import type { Driver, Tab } from "./driver.ts";
import { startFirefox } from "./firefox.ts";
import { startWebKit } from "./webkit.ts";

const PATIENCE_MS = 30_000;

interface Row {
  title: string;
  setting?: Setting;
  /** Leads the user from a chat that shows its question to the page that should identify them. */
  play(browser: Driver, sites: Sites, chat: Tab, link: string): Promise<Tab>;
  /** How the chat was opened. */
  query?: string;
  /** Additional checks of the page. */
  check?(page: Tab, sites: Sites, browser: Driver): Promise<boolean>;
}

async function connect(browser: Driver, _: Sites, chat: Tab): Promise<Tab> {
  const before = new Set((await browser.tabs()).map((tab) => tab.id));
  await chat.click("#connect");
  return until("a window of the chat", async () => (await browser.tabs()).find((tab) => !before.has(tab.id)));
}

const ROWS: readonly Row[] = [
  { title: "a window of the chat", play: connect },
  { title: "a link that was copied", play: (browser, _, __, link) => browser.open(link) },
  {
    title: "17 a service worker that passes requests on",
    setting: { hasServiceWorker: true },
    play: connect,
    check: async (_, { passed }) => passed.some((path) => path.endsWith("/vouch")),
  },
  {
    title: "19 a Strict session, chat and page on one site, and a link in a mail",
    setting: { sameSite: "Strict", isOneSite: true },
    async play(browser, sites) {
      const mail = await browser.open(sites.mail);
      await mail.click("a");
      return mail;
    },
  },
  {
    title: "20 an app that sets a Cross-Origin-Opener-Policy everywhere",
    setting: { coop: "same-origin-allow-popups" },
    play: connect,
    // WebKitGTK cuts off a window as soon as it leaves for another origin than that of a chat with this policy.
    check: async (page, _, { name }) =>
      (await page.read("String(window.opener !== null)")) === String(name !== "WebKitGTK"),
  },
  {
    title: "a chat whose identity is a token: its window vouches",
    setting: { vouches: false },
    query: "?token",
    play: connect,
  },
];

const CAN_CONTINUE = `[...document.querySelectorAll("button")].some(
  (button) => !button.disabled && button.textContent.includes("Continue to"))`;

/** Throws if the page does not identify the user in time. */
async function run(browser: Driver, { setting, play, query = "", check }: Row): Promise<void> {
  const sites = await startSites(setting);
  const before = new Set((await browser.tabs()).map((tab) => tab.id));
  try {
    const link = await sites.ask();
    const chat = await browser.open(`${sites.chat}/${query}`);
    await until("the chat to show its question", async () => (await text(chat, "#state")) === "pending");
    const page = await play(browser, sites, chat, link);
    await until("the page to know the person", async () => (await page.read(CAN_CONTINUE)) === true);
    if (check !== undefined) await until("the rest to be right", () => check(page, sites, browser));
  } finally {
    for (const tab of await browser.tabs()) if (!before.has(tab.id)) await tab.close();
    await sites.close();
  }
}

async function text(tab: Tab, selector: string): Promise<string | undefined> {
  const found = await tab.read(`document.querySelector(${JSON.stringify(selector)})?.textContent`);
  return typeof found === "string" ? found.trim() : undefined;
}

/** The first value that `look` finds. A page that is closing returns nothing. */
async function until<T>(what: string, look: () => Promise<T | false | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  let cause: unknown;
  while (Date.now() < end) {
    const found = await look().catch((error: unknown) => void (cause = error));
    if (found !== undefined && found !== false) return found;
    await setTimeout(100);
  }
  throw new Error(`elicit-kit: waited in vain for ${what}.`, { cause });
}

const [kind, command = "", minibrowser = ""] = process.argv.slice(2);
const browser = kind === "webkit" ? await startWebKit(command, minibrowser) : await startFirefox(command);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void browser.close().finally(() => process.exit(1)));
}
try {
  for (const row of ROWS) {
    try {
      await run(browser, row);
      console.log(`  ✓ ${browser.name}: ${row.title}`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`  ✗ ${browser.name}: ${row.title}`, error);
    }
  }
} finally {
  await browser.close();
}
