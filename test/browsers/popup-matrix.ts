/**
 * A smoke test of the popup matrix in installed browsers that Playwright cannot drive: Firefox over WebDriver BiDi,
 * WebKitGTK over WebDriver. The pages are those of `test/e2e/popup-matrix`, whose spec tests all rows in Chromium. `node
 * test/browsers/popup-matrix.ts firefox|webkit PROGRAM …`; the exit code is 0 if every row succeeded.
 */
import { setTimeout } from "node:timers/promises";
import { hostedPage, type Sites, startSites, type Walk } from "../e2e/popup-matrix/sites.ts";
import type { Driver, Tab } from "./driver.ts";
import { startFirefox } from "./firefox.ts";
import { startWebKit } from "./webkit.ts";

const PATIENCE_MS = 30_000;

interface Setting extends Omit<Walk, "id"> {
  chatCoop?: string | undefined;
  /** @default true */
  trusted?: boolean | undefined;
  /** Opens without a click. */
  auto?: boolean | undefined;
}

/** A visible chat. */
interface Stage {
  /** Clicks in the chat, and returns the loaded page that opens. */
  opens(selector: string): Promise<Tab>;
  /** Waits until the chat shows a state. */
  shows(state: string): Promise<void>;
  /** The messages that a page sent and the chat received, each once. */
  heard(): Promise<readonly string[]>;
}

interface Row extends Setting {
  title: string;
  /** The messages that the chat should receive, as in Chromium: the rows of the e2e spec have the same. */
  hears: readonly string[];
  /** The messages in WebKitGTK, if they differ. */
  hearsInWebKit?: readonly string[] | undefined;
  /** The user's actions between opening the chat and the end. Usually a click and a sign-in. */
  play?: ((stage: Stage) => Promise<void>) | undefined;
}

const ROWS: readonly Row[] = [
  { title: "no policy anywhere", hears: ["bind:c", "complete"] },
  { title: "a provider with same-origin", coop: "same-origin", hears: ["bind:c"] },
  {
    title: "a provider with same-origin, and a last page of the chat's origin",
    coop: "same-origin",
    end: "chat",
    hears: ["bind:c", "broadcast"],
  },
  {
    title: "a chat with same-origin-allow-popups",
    chatCoop: "same-origin-allow-popups",
    hears: ["bind:c", "complete"],
    // WebKitGTK cuts off the blank window as soon as it navigates to another origin.
    hearsInWebKit: [],
  },
  { title: "a chat with same-origin", chatCoop: "same-origin", hears: [] },
  { title: "a page that is not trusted", trusted: false, hears: [] },
  {
    title: "closed early, and tried again",
    hears: ["bind:c", "complete"],
    async play({ opens, shows }) {
      const popup = await opens("#connect");
      await popup.close();
      await shows("closed");
      await signIn(await opens("#connect"));
    },
  },
  {
    title: "blocked, and opened by the link",
    auto: true,
    hears: [],
    async play({ opens, shows }) {
      await shows("blocked");
      await signIn(await opens("#link"));
    },
  },
];

/** Throws if the chat does not get the outcome, or gets other messages on the way. */
async function run(browser: Driver, sites: Sites, row: Row): Promise<void> {
  const { play = connect, hearsInWebKit = row.hears, ...setting } = row;
  const hears = browser.name === "WebKitGTK" ? hearsInWebKit : row.hears;
  const before = await idsOf(browser);
  try {
    const stage = await enter(browser, sites, setting);
    await play(stage);
    await stage.shows("completed");
    // The last message may arrive after the end.
    await until(`the chat to have heard ${hears.join(", ") || "nothing"}`, async () => {
      const heard = await stage.heard();
      if (heard.join() === hears.join()) return true;
      throw new Error(`It heard ${heard.join(", ") || "nothing"}.`);
    });
  } finally {
    // The next row must not open its tab in a window that is closing.
    await until("the windows of the row to close", async () => {
      const left = (await browser.tabs()).filter((tab) => !before.has(tab.id));
      for (const tab of left) await tab.close();
      return left.length === 0 || undefined;
    });
  }
}

async function idsOf(browser: Driver): Promise<ReadonlySet<string>> {
  return new Set((await browser.tabs()).map((tab) => tab.id));
}

async function connect({ opens }: Stage): Promise<void> {
  await signIn(await opens("#connect"));
}

let requests = 0;

async function enter(
  browser: Driver,
  sites: Sites,
  { chatCoop, trusted = true, auto = false, ...setting }: Setting,
): Promise<Stage> {
  const id = `e${(requests += 1)}`;
  const query = new URLSearchParams({ id, url: hostedPage(sites, { id, ...setting }), keep: "" });
  if (trusted) query.set("trusted", sites.hosted);
  if (chatCoop !== undefined) query.set("coop", chatCoop);
  if (auto) query.set("auto", "");
  const chat = await browser.open(`${sites.chat}/chat?${query}`);
  const text = async (selector: string): Promise<string> =>
    String(await chat.read(`document.querySelector(${JSON.stringify(selector)})?.textContent`));
  return {
    async opens(selector) {
      const before = await idsOf(browser);
      await chat.click(selector);
      return until(`a window after a click on ${selector}`, async () => {
        const opened = (await browser.tabs()).find((tab) => !before.has(tab.id));
        return opened !== undefined && (await has(opened, "Continue")) ? opened : undefined;
      });
    },
    async shows(state) {
      await until(`the chat to show "${state}"`, async () => (await text("#state")) === state || undefined);
    },
    async heard() {
      const signs = (await text("#signs")).split(" ");
      return [...new Set(signs.filter((sign) => /bind|complete|message|broadcast/.test(sign)))];
    },
  };
}

async function signIn(popup: Tab): Promise<void> {
  for (const button of ["Continue", "Allow"]) {
    await until(`the button "${button}"`, () => has(popup, button));
    await popup.click("button");
  }
}

const has = async (tab: Tab, button: string): Promise<true | undefined> =>
  (await tab.read("document.querySelector('button')?.textContent")) === button || undefined;

/** The first value that `look` finds. A page that is closing returns nothing. */
async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  let cause: unknown;
  while (Date.now() < end) {
    const found = await look().catch((error: unknown) => void (cause = error));
    if (found !== undefined) return found;
    await setTimeout(100);
  }
  throw new Error(`elicit-kit: waited in vain for ${what}.`, { cause });
}

const [kind, command = "", minibrowser = ""] = process.argv.slice(2);
const browser = kind === "webkit" ? await startWebKit(command, minibrowser) : await startFirefox(command);
const sites = await startSites();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void browser.close().finally(() => process.exit(1)));
}
try {
  for (const row of ROWS) {
    try {
      await run(browser, sites, row);
      console.log(`  ✓ ${browser.name}: ${row.title}`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`  ✗ ${browser.name}: ${row.title}`, error);
    }
  }
} finally {
  await browser.close();
  await sites.close();
}
