/**
 * Takes the screenshots of the README and the guides (docs/images) from the real demo and from the sheet of all states:
 * `node tools/pictures.ts`, or some of them: `node tools/pictures.ts hero form arabic states`. Needs Chromium and, for
 * the same font everywhere, Inter (`apt-get install fonts-inter`).
 */
import { mkdir, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import UPNG from "upng-js";
import { createServer } from "vite";
import { DEMO_SOURCE, type Demo, startDemo } from "../test/e2e/demo.ts";
import { root } from "./bootstrap.mjs";
import { buildDemoPage, buildKit } from "./build.mjs";
import { chromiumLaunchOptions } from "./chromium.mjs";
import { sourceAlias } from "./source-alias.mjs";

const FOLDER = join(root, "docs/images");
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** Replaces the loopback address with a name, as on a real site. */
const SHOWN_HOST = "https://auth.example.com";
const FONT =
  ":root { --elicit-font: Inter, system-ui, sans-serif; font-family: Inter, system-ui, sans-serif; }";
const CHAT = { width: 800, height: 600 };
const SCALE = 1.5;
/** Enough for these pictures; fewer colours make a smaller file. */
const COLOURS = 256;

async function save(name: string, picture: ArrayBuffer | Uint8Array): Promise<void> {
  await writeFile(join(FOLDER, name), new Uint8Array(picture));
  console.log(`docs/images/${name} ${Math.ceil(picture.byteLength / 1024)} KiB`);
}

/** The same picture, in few colours. */
function small(png: Uint8Array): ArrayBuffer {
  return animated([{ png, ms: 0 }]);
}

interface Frame {
  png: Uint8Array;
  /** Milliseconds for which the frame is visible. */
  ms: number;
}

function animated(frames: readonly Frame[]): ArrayBuffer {
  const images = frames.map(({ png }) => UPNG.decode(png));
  const pixels = images.map((image) => UPNG.toRGBA8(image)[0] ?? new ArrayBuffer(0));
  const [first = { width: 0, height: 0 }] = images;
  return UPNG.encode(
    pixels,
    first.width,
    first.height,
    COLOURS,
    frames.map(({ ms }) => ms),
  );
}

async function openContext(
  browser: Browser,
  demo: Demo,
  theme: Theme,
  locale = "en-US",
): Promise<BrowserContext> {
  // The demo's content security policy blocks foreign styles.
  const context = await browser.newContext({
    viewport: CHAT,
    deviceScaleFactor: SCALE,
    colorScheme: theme,
    locale,
    bypassCSP: true,
    reducedMotion: "reduce",
  });
  await context.addInitScript(
    ({ font, real, shown }) => {
      document.addEventListener("DOMContentLoaded", () => {
        document.head.append(Object.assign(document.createElement("style"), { textContent: font }));
      });
      const { fetch } = window;
      window.fetch = async (...request) => {
        const response = await fetch(...request);
        if (!/json|event-stream/.test(response.headers.get("content-type") ?? "")) return response;
        const text = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(
          new TransformStream<string, string>({
            transform: (piece, controller) => controller.enqueue(piece.replaceAll(real, shown)),
          }),
        );
        return new Response(text?.pipeThrough(new TextEncoderStream()) ?? null, response);
      };
    },
    { font: FONT, real: demo.auth, shown: SHOWN_HOST },
  );
  // The hosted page is a popup over an empty page, which stands for the chat.
  await context.route(`${SHOWN_HOST}/**`, (route) => route.fulfill({ contentType: "text/html", body: "" }));
  return context;
}

async function ask(context: BrowserContext, demo: Demo, suggestion: number): Promise<Page> {
  const page = await context.newPage();
  await page.goto(demo.chat);
  await page.locator(".tries button").nth(suggestion).click();
  return page;
}

/** The page that a card links to, in the user's browser, at its real URL. */
async function openPage(chat: Page, demo: Demo): Promise<Page> {
  const card = chat.locator(".elicit-card").first();
  const id = await card.getAttribute("data-elicitation");
  const page = await chat.context().newPage();
  await page.setViewportSize({ width: 440, height: 630 });
  await page.goto(`${demo.auth}/auth/connect?elicitationId=${id}`);
  await page.getByRole("button", { name: /^Continue/ }).waitFor();
  return page;
}

/** Takes a screenshot of a page, with names in place of loopback addresses. */
async function shoot(page: Page, demo: Demo): Promise<Uint8Array> {
  const names = [
    [new URL(demo.chat).host, "chat.example.com"],
    [new URL(demo.auth).host, "auth.example.com"],
    [new URL(demo.oauth).host, "tracker.example"],
  ] as const;
  await page.evaluate((all) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) {
      for (const [host, name] of all) {
        const { currentNode: text } = texts;
        text.textContent =
          text.textContent?.replaceAll(`http://${host}`, `https://${name}`).replaceAll(host, name) ?? "";
      }
    }
  }, names);
  return page.screenshot();
}

function dataUrl(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
}

/** A window in front of the chat, as a user sees it. */
async function inFront(
  browser: Browser,
  chat: Uint8Array,
  popup: Uint8Array,
  theme: Theme,
  host = "auth.<b>example.com</b>",
): Promise<Uint8Array> {
  const page = await browser.newPage({ viewport: CHAT, deviceScaleFactor: SCALE, colorScheme: theme });
  await page.setContent(`<!doctype html><meta name="color-scheme" content="light dark"><style>
    body { margin: 0; font: 500 13px/36px Inter, system-ui, sans-serif }
    img { display: block; width: 100% }
    figure { position: absolute; inset: 14px auto auto 216px; width: 368px; margin: 0; overflow: hidden;
      border: 1px solid light-dark(#d4d4d8, #3f3f46); border-radius: 12px;
      box-shadow: 0 24px 64px -8px rgb(0 0 0 / 45%) }
    figcaption { height: 36px; text-align: center; color: light-dark(#52525b, #a1a1aa);
      background: light-dark(#f4f4f5, #27272a) }
    figcaption b { color: light-dark(#18181b, #f4f4f5) }
  </style><img src="${dataUrl(chat)}"><figure><figcaption>${host}</figcaption><img src="${dataUrl(popup)}"></figure>`);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

/** Six seconds: the agent asks, the user connects in a window, the same turn continues. */
async function hero(browser: Browser, demo: Demo, theme: Theme): Promise<void> {
  const context = await openContext(browser, demo, theme);
  const chat = await ask(context, demo, 0);
  const frames: Frame[] = [];
  const add = (png: Uint8Array, ms: number): void => void frames.push({ png, ms });
  await chat.locator(".elicit-card .elicit-primary").waitFor();
  await chat.mouse.move(0, 0);
  await chat.waitForTimeout(2_200);
  add(await chat.screenshot(), 1_600);

  const opening = chat.waitForEvent("popup");
  await chat.locator(".elicit-card .elicit-primary").click();
  await opening;
  await chat.getByText("Waiting for").first().waitFor();
  const waiting = await chat.screenshot();
  const page = await openPage(chat, demo);
  const consent = await shoot(page, demo);
  add(await inFront(browser, waiting, consent, theme), 1_500);
  await page.getByRole("button", { name: /^Continue/ }).click();
  await page.getByLabel("Account").selectOption("alice");
  await page.getByLabel("Password").fill("any");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).waitFor();
  await page.setViewportSize({ width: 440, height: 400 });
  add(
    await inFront(browser, await chat.screenshot(), await shoot(page, demo), theme, "<b>tracker.example</b>"),
    1_000,
  );
  await page.getByRole("button", { name: "Allow" }).click();
  await chat.locator(".strip[data-phase=done]").waitFor();
  await chat.mouse.move(0, 0);
  await chat.waitForTimeout(700);
  add(await chat.screenshot(), 1_900);
  await save(`turn-${theme}.png`, animated(frames));
  await context.close();
}

async function form(browser: Browser, demo: Demo, theme: Theme): Promise<void> {
  const context = await openContext(browser, demo, theme);
  const chat = await ask(context, demo, 1);
  await chat.setViewportSize({ width: CHAT.width, height: 720 });
  await chat.getByLabel("Destination").fill("Lisbon");
  await chat.mouse.move(0, 0);
  await chat.waitForTimeout(700);
  await save(`form-${theme}.png`, small(await chat.screenshot()));
  await context.close();
}

async function arabic(browser: Browser, demo: Demo): Promise<void> {
  const context = await openContext(browser, demo, "light", "ar");
  const chat = await ask(context, demo, 2);
  await chat.setViewportSize({ width: CHAT.width, height: 760 });
  await chat.locator(".elicit-card").nth(1).waitFor();
  await chat.waitForTimeout(1_500);
  await save("arabic.png", small(await chat.screenshot()));
  await context.close();
}

/** The cards of the sheet of which a separate picture is made, too. */
const CARDS = [
  { name: "consent.png", state: "Asked", look: "light" },
  { name: "warning-dark.png", state: "Danger: a lookalike", look: "dark" },
] as const;

async function sendSheet(
  transform: (url: string, html: string) => Promise<string>,
  response: ServerResponse,
): Promise<void> {
  const page = `<!doctype html><meta name="color-scheme" content="light dark"><style>body { margin: 0 } ${FONT}</style><main data-theme="system"></main><script type="module" src="/sheet.js"></script>`;
  response.setHeader("content-type", "text/html");
  response.end(await transform("/states", page));
}

/** The sheet of all states, from the sources, without the demo. */
async function states(browser: Browser): Promise<void> {
  const script = `
    import { createElement } from "react";
    import { createRoot } from "react-dom/client";
    import "/src/react/styles.css";
    import "/.storybook/preview.css";
    import { States } from "/stories/states.tsx";
    createRoot(document.querySelector("main")).render(createElement(States));`;
  const server = await createServer({
    root,
    configFile: false,
    logLevel: "warn",
    cacheDir: "node_modules/.cache/pictures",
    resolve: { alias: sourceAlias },
    plugins: [
      react(),
      {
        name: "states",
        resolveId: (id) => (id === "/sheet.js" ? id : undefined),
        load: (id) => (id === "/sheet.js" ? script : undefined),
        configureServer({ middlewares, transformIndexHtml }) {
          middlewares.use("/states", (_, response) => void sendSheet(transformIndexHtml, response));
        },
      },
    ],
    server: { port: 0, host: "127.0.0.1" },
    appType: "custom",
  });
  await server.listen();
  const address = server.resolvedUrls?.local[0] ?? "";
  for (const theme of THEMES) {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      colorScheme: theme,
      reducedMotion: "reduce",
    });
    await page.goto(`${address}states`);
    await page.getByText("Closed the window?").waitFor();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    if (theme === "light") await save("states.png", small(await page.screenshot({ fullPage: true })));
    for (const { name, state, look } of CARDS) {
      if (look === theme)
        await save(
          name,
          small(await page.getByRole("figure", { name: state }).first().locator(".elicit-card").screenshot()),
        );
    }
    await page.close();
  }
  await server.close();
}

const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
await mkdir(FOLDER, { recursive: true });
await buildKit();
await buildDemoPage();
const browser = await chromium.launch(chromiumLaunchOptions());
for (const theme of THEMES) {
  // A separate demo for each picture, without connected accounts.
  const demo = await startDemo({}, DEMO_SOURCE);
  if (isWanted("arabic") && theme === "light") await arabic(browser, demo);
  if (isWanted("hero")) await hero(browser, demo, theme);
  if (isWanted("form")) await form(browser, demo, theme);
  await demo.stop();
}
if (isWanted("states")) await states(browser);
await browser.close();
