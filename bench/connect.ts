/**
 * Measures the time from a click on Connect to the first paint of the hosted page, and to an enabled Continue button, in
 * Chromium on loopback: `node bench/connect.ts`. It measures sign-in by the chat's session, vouching by the chat's
 * window, and a static page opened in the same way. Each round uses a new browser profile.
 */
import { type Browser, chromium, type Page } from "playwright";
import { type Setting, startSites } from "../test/e2e/vouching/sites.ts";
import { chromiumLaunchOptions } from "../tools/chromium.mjs";
import { type Figure, median, report } from "./figures.ts";

const WARM_UP = 3;
const ROUNDS = 15;
const PAINT_LIMIT_MS = 150;
const READY_LIMIT_MS = 300;

/**
 * Records two times in each window: when the first document was painted, and when the first frame showed the enabled
 * button. The next document in the window overwrites them.
 */
const NOTE_TIMES = `
  const look = () => {
    const button = [...document.querySelectorAll("button")].find(({ innerText }) => innerText.startsWith("Continue"));
    if (button && !button.disabled) sessionStorage.readyAt = performance.timeOrigin + performance.now();
    else requestAnimationFrame(look);
  };
  if (opener && location.protocol === "http:") {
    requestAnimationFrame(look);
    new PerformanceObserver((list) => {
      const [paint] = list.getEntriesByName("first-contentful-paint");
      if (paint) sessionStorage.paintedAt ??= performance.timeOrigin + paint.startTime;
    }).observe({ type: "paint", buffered: true });
  }
`;
const NOTE_CLICK = `addEventListener("click", () => {
  window.clickedAt = performance.timeOrigin + performance.now();
}, { capture: true });`;

interface Way {
  name: string;
  /** Opens a page with a button `#connect`. */
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

/** A static page that does not check the user, served by a server of the same kind. */
async function staticPage(): Promise<Way> {
  const sites = await startSites();
  const target = `${sites.mail}/static`;
  return {
    name: "a static page",
    async open(page) {
      // As the kit does: from a page of another site, for whose window the browser starts a process.
      await page.goto(sites.chat);
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

interface Times {
  /** Milliseconds since the click. */
  painted: number;
  ready: number;
}

async function measure(browser: Browser, way: Way): Promise<Times> {
  const context = await browser.newContext();
  await context.addInitScript(NOTE_TIMES);
  await context.addInitScript(NOTE_CLICK);
  const page = await context.newPage();
  await way.open(page);
  const opening = page.waitForEvent("popup");
  await page.locator("#connect").click();
  const popup = await opening;
  await popup.getByRole("button", { name: /^Continue/ }).waitFor();
  // The page's content security policy forbids the `eval` that polling would need.
  const noted = async (name: string): Promise<number> => {
    let at: string | undefined;
    while (at === undefined) at = await popup.evaluate<string | undefined>(`sessionStorage.${name}`);
    return Number(at);
  };
  const clickedAt = await page.evaluate<number>("window.clickedAt");
  const times = {
    painted: (await noted("paintedAt")) - clickedAt,
    ready: (await noted("readyAt")) - clickedAt,
  };
  await context.close();
  return times;
}

const ways = [
  await staticPage(),
  await chat("by the chat's session", {}),
  await chat("through the chat's window", { vouches: false }, "?token"),
];
const times = ways.map((): Times[] => []);
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  // Alternates between the kinds, so that other load on the machine affects all of them.
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

const medianOf = (all: readonly Times[], name: keyof Times) => median(all.map((one) => one[name]));
const [beside = [], ...own] = times;
const rows = [
  ["first paint of the window's shell", "painted", PAINT_LIMIT_MS],
  ["a Continue that can be pressed", "ready", READY_LIMIT_MS],
] as const;
const figures = rows.flatMap(([what, name, target]) =>
  own.flatMap((all, index): Figure[] => {
    const figure = `click to ${what}, ${ways[index + 1]?.name}`;
    const ours = medianOf(all, name);
    return [
      { figure, unit: "ms", ours, target },
      { figure, unit: "ms", ours, peer: { name: "a static page", value: medianOf(beside, name) } },
    ];
  }),
);
report(figures);
