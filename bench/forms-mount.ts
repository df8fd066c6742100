/** Measures the mount of a form in Chromium, with the kit and with other form packages: `node bench/forms-mount.ts`. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright";
import { chromiumLaunchOptions } from "../tools/chromium.mjs";
import { type Figure, report } from "./figures.ts";

const ROUNDS = 60;
/** Creating a new page takes long. */
const NEW_PAGES = 12;
const SIZES = [6, 100];
/**
 * Playwright answers this URL. Chromium's clock is finer than a tenth of a millisecond only on a page with a URL and
 * these headers.
 */
const ADDRESS = "https://bench.test/";
const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

type Times = readonly [script: number, layout: number];

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("forms-mount/page.mjs", import.meta.url))],
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "error",
});

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.route(ADDRESS, (route) =>
    route.fulfill({
      contentType: "text/html",
      headers: HEADERS,
      body: "<!doctype html><title>Forms</title>",
    }),
  );
  await page.goto(ADDRESS);
  // Chromium's own work for a focus change varies more than everything else, and only the kit moves the focus.
  await page.evaluate(() => {
    HTMLElement.prototype.focus = () => undefined;
  });
  await page.addScriptTag({ content: outputFiles[0]!.text });
  return page;
}

function waysOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const ways: unknown = await Reflect.get(globalThis, "waysToMount");
    if (!Array.isArray(ways)) throw new Error("the page did not load");
    return ways.map(String);
  });
}

/** Mounts the form with each package in turn, `rounds` times. */
function mount(page: Page, ways: readonly string[], size: number, rounds: number): Promise<Times[][]> {
  return page.evaluate(
    ([names, fields, times]) => {
      const mountForm: unknown = Reflect.get(globalThis, "mountForm");
      if (typeof mountForm !== "function") throw new Error("the page did not load");
      return Array.from({ length: times }, () =>
        names.map((name): Times => {
          const [script, layout]: unknown[] = mountForm(name, fields);
          return [Number(script), Number(layout)];
        }),
      );
    },
    [ways, size, rounds] as const,
  );
}

/** The lower quartile. Other load on the machine makes single mounts slower, never faster. */
function quartile(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 4)] ?? Number.NaN;
}

/** The maximum time of the kit, as a multiple of the peer. The other ratios are only reported. */
const TARGETS: Readonly<Record<string, number>> = { "plain inputs": 1.5, "@rjsf/core + ajv8": 0.5 };

/** Compares the kit with each other package: the time until the form is laid out, and the share of scripts in it. */
function compare(title: string, ways: readonly string[], rounds: readonly (readonly Times[])[]): Figure[] {
  const rows = ways.map((name, index) => {
    const times = rounds.flatMap((round) => round[index] ?? []);
    const script = quartile(times.filter((_, at) => at % 2 === 0));
    return { name, script, whole: script + quartile(times.filter((_, at) => at % 2 === 1)) };
  });
  const kit = rows.find(({ name }) => name === "elicit-kit")!;
  return rows
    .filter((row) => row !== kit)
    .flatMap(({ name, script, whole }): Figure[] => [
      {
        figure: `${title}, script and layout`,
        unit: "ms",
        ours: kit.whole,
        peer: { name, value: whole },
        target: TARGETS[name],
      },
      { figure: `${title}, script alone`, unit: "ms", ours: kit.script, peer: { name, value: script } },
    ]);
}

const figures: Figure[] = [];
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  const page = await openPage(browser);
  const ways = await waysOf(page);
  for (const size of SIZES) {
    figures.push(...compare(`mount of ${size} fields`, ways, await mount(page, ways, size, ROUNDS)));
  }
  // The form is usually the first one on the page of a chat, so none of its code has run before.
  const rounds: Times[][] = [];
  for (let round = 0; round < NEW_PAGES; round++) {
    const first: Times[] = [];
    for (const name of ways) {
      const fresh = await openPage(browser);
      first.push(...(await mount(fresh, [name], 6, 1)).flat());
      await fresh.close();
    }
    rounds.push(first);
  }
  figures.push(...compare("first mount of 6 fields in a page", ways, rounds));
} finally {
  await browser.close();
}
report(figures);
