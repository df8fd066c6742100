/**
 * Measures what a page has loaded when a card stands: `node bench/on-screen.ts`. Chromium opens an app of Vite that asks
 * one question, and every script that it requests counts, without those of an app that has only React.
 */
import { type Browser, chromium } from "playwright";
import { serve } from "../src/node/index.ts";
import { chromiumLaunchOptions } from "../tools/chromium.mjs";
import { viteChunks } from "./growth.ts";
import { gzipped } from "./sizes.ts";

export interface OnScreen {
  name: string;
  /** Bytes of all scripts that were requested, minified and gzipped. */
  gzip: number;
  /** What we want to reach. */
  goal: number;
  /** The maximum for `gzip`. */
  limit: number;
  /** The modules of the kit in these scripts, with their bytes before compression, largest first. */
  modules: readonly (readonly [path: string, bytes: number])[];
}

const KiB = 1024;

const request = (mode: object) => ({
  elicitationId: "question-1",
  message: "To book your trip.",
  requester: { name: "Acme Assistant" },
  ...mode,
});
const CARDS = [
  {
    name: "a card that connects",
    asked: request({ mode: "url", url: "https://auth.example/start", service: { name: "Acme Mail" } }),
    goal: 36 * KiB,
    limit: 49.5 * KiB,
  },
  {
    name: "a form",
    asked: request({
      mode: "form",
      requestedSchema: {
        type: "object",
        required: ["city"],
        properties: {
          city: { type: "string", title: "City" },
          seat: { type: "string", title: "Seat", enum: ["Aisle", "Window"] },
        },
      },
    }),
    goal: 54 * KiB,
    limit: 71.2 * KiB,
  },
] as const;

const PART = `
  export { createElicitation } from "./src/ai-sdk/index.ts";
  export { Elicitations } from "./src/react/index.ts";`;
const EMPTY = `
  import { createElement } from "react";
  import { createRoot } from "react-dom/client";
  createRoot(document.body).render(createElement("button", null, "Decline"));`;
const asking = (asked: object) => `
  import { createElement } from "react";
  import { createRoot } from "react-dom/client";
  import { createElicitation, Elicitations } from "./growth-part.ts";
  const client = createElicitation({ preload: "never" });
  createRoot(document.body).render(createElement(Elicitations, { client, conversationId: "c1" }));
  client.receive("c1", ${JSON.stringify(asked)});`;

type Chunk = Awaited<ReturnType<typeof viteChunks>>[number];

interface ServedApp {
  url: string;
  chunks: readonly Chunk[];
  /** The path of the script that the page loads first. */
  entry: string;
  close(): Promise<void>;
}

async function serveApp(app: string): Promise<ServedApp> {
  const chunks = await viteChunks(PART, app);
  const entry = `/${chunks.find(({ isEntry }) => isEntry)?.fileName}`;
  const { url, close } = await serve({
    fetch: async (asked) => {
      const { pathname } = new URL(asked.url);
      const chunk = chunks.find(({ fileName }) => pathname === `/${fileName}`);
      if (chunk !== undefined) {
        return new Response(chunk.code, { headers: { "content-type": "text/javascript" } });
      }
      if (pathname !== "/") return Response.json({ success: true, elicitations: [] });
      const page = `<!doctype html><body></body><script type="module" src="${entry}"></script>`;
      return new Response(page, { headers: { "content-type": "text/html" } });
    },
  });
  return { url, chunks, entry, close };
}

/** An app that asks for a connection as soon as it is open. */
export const serveConnectApp = (): Promise<ServedApp> => serveApp(asking(CARDS[0].asked));

/** The scripts that a page requests until a user can answer. */
async function requested(browser: Browser, app: string): Promise<readonly Chunk[]> {
  const { url, chunks, close } = await serveApp(app);
  const page = await browser.newPage();
  const paths = new Set<string>();
  page.on("request", (one) => paths.add(new URL(one.url()).pathname));
  try {
    await page.goto(url);
    await page.getByRole("button", { name: "Decline" }).waitFor();
    if (app.includes('"form"')) await page.getByRole("button", { name: "Send" }).waitFor();
    await page.waitForLoadState("networkidle");
  } finally {
    await page.close();
    await close();
  }
  return chunks.filter(({ fileName }) => paths.has(`/${fileName}`));
}

const bytesOf = (chunks: readonly Chunk[]): number =>
  chunks.reduce((sum, { code }) => sum + gzipped(code), 0);

export async function measureOnScreen(): Promise<OnScreen[]> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const empty = bytesOf(await requested(browser, EMPTY));
    const measured: OnScreen[] = [];
    for (const { name, asked, goal, limit } of CARDS) {
      const chunks = await requested(browser, asking(asked));
      const modules = chunks
        .flatMap((chunk) => Object.entries(chunk.modules))
        .map(
          ([path, { renderedLength }]) =>
            [path.split(/\/(?=(?:src|extras)\/)/)[1] ?? path, renderedLength] as const,
        )
        .filter(([path]) => !path.includes("node_modules"))
        .toSorted(([, a], [, b]) => b - a);
      measured.push({ name, gzip: bytesOf(chunks) - empty, goal, limit, modules });
    }
    return measured;
  } finally {
    await browser.close();
  }
}

if (import.meta.main) {
  for (const { name, gzip, goal, modules } of await measureOnScreen()) {
    console.log(`\n${name}: ${(gzip / KiB).toFixed(1)} KiB, goal ${goal / KiB}`);
    for (const [path, bytes] of modules) console.log(`${String(bytes).padStart(7)}  ${path}`);
  }
}
