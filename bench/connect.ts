/**
 * From the click on Connect to a Continue that can be pressed, in Chromium on loopback: by the chat's session and through
 * the chat's window, beside a static page that is opened the same way: `node bench/connect.ts`. Each round is a browser
 * profile of its own, which the page has never seen.
 */
import { type Browser, chromium, type Page } from "playwright";
import { type Setting, startSites } from "../test/e2e/vouching/sites.ts";
import { chromiumLaunchOptions } from "../tools/chromium.mjs";
import { type Figure, isMet, report } from "./figures.ts";

const WARM_UP = 3;
const ROUNDS = 15;
const LIMIT_MS = 300;

/** Notes in each window when its button could be pressed: drawn, and not disabled. */
const NOTE_READY = `
  const look = () => {
    const button = [...document.querySelectorAll("button")].find(({ innerText }) => innerText.startsWith("Continue"));
    if (button && !button.disabled) window.readyAt = performance.timeOrigin + performance.now();
    else requestAnimationFrame(look);
  };
  addEventListener("DOMContentLoaded", () => requestAnimationFrame(look));
`;
const NOTE_CLICK = `addEventListener("click", () => {
  window.clickedAt = performance.timeOrigin + performance.now();
}, { capture: true });`;

interface Way {
  name: string;
  /** Shows a page with a button `#connect`. */
  open(page: Page): Promise<void>;
  close(): Promise<void>;
}

async function chat(name: string, setting: Setting, query = ""): Promise<Way> {
  const sites = await startSites(setting);
  return {
    name,
    async open(page) {
      await sites.ask();
      await page.goto(`${sites.chat}/${query}`);
      await page.getByText("pending").waitFor();
    },
    close: () => sites.close(),
  };
}

/** A static page without any check of the user, from a server of the same kind. */
async function staticPage(): Promise<Way> {
  const sites = await startSites();
  const target = `${sites.mail}/static`;
  return {
    name: "a static page",
    async open(page) {
      await page.goto(`${sites.mail}/opener`);
      // As the kit opens pages.
      await page.evaluate((url) => {
        document.body.innerHTML = '<button id="connect">Connect</button>';
        document.querySelector("#connect")?.addEventListener("click", () => {
          window.open("", "page", "popup,width=500,height=650")?.location.replace(url);
        });
      }, target);
    },
    close: () => sites.close(),
  };
}

async function measure(browser: Browser, way: Way): Promise<number> {
  const context = await browser.newContext();
  await context.addInitScript(NOTE_READY);
  await context.addInitScript(NOTE_CLICK);
  const page = await context.newPage();
  await way.open(page);
  const opening = page.waitForEvent("popup");
  await page.locator("#connect").click();
  const popup = await opening;
  await popup.getByRole("button", { name: /^Continue/ }).waitFor();
  // The page's policy forbids the evaluation that polling would need.
  let readyAt: number | undefined;
  while (readyAt === undefined) readyAt = await popup.evaluate<number | undefined>("window.readyAt");
  const clickedAt = await page.evaluate<number>("window.clickedAt");
  await context.close();
  return readyAt - clickedAt;
}

const ways = [
  await staticPage(),
  await chat("by the chat's session", {}),
  await chat("through the chat's window", { vouches: false }, "?token"),
];
const times = ways.map((): number[] => []);
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  // In turns, so that other work on the machine affects all of them.
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const [index, way] of ways.entries()) {
      const took = await measure(browser, way);
      if (round >= 0) times[index]?.push(took);
    }
  }
} finally {
  await browser.close();
  await Promise.all(ways.map((way) => way.close()));
}

const [beside = Number.NaN, ...own] = times.map(
  (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN,
);
const figures = own.flatMap((ours, index): Figure[] => {
  const figure = `click to a Continue that can be pressed, ${ways[index + 1]?.name}`;
  return [
    { figure, unit: "ms", ours, target: LIMIT_MS },
    { figure, unit: "ms", ours, peer: { name: "a static page", value: beside } },
  ];
});
report(figures);
if (!figures.every(isMet)) process.exitCode = 1;
