/**
 * The packed package in an app that `create-next-app` has made with its own defaults, with the files of docs/start/quickstart.md
 * and docs/start/your-chat-route.md: `node test/package/next-app.ts` after a build. In development and in production, with Turbopack
 * and with webpack: two chats, a page and a server action all import one `lib/runtime.ts`. Part of `npm run test:long`.
 */
import type { ChildProcess } from "node:child_process";
import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page, chromium } from "playwright";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";
import { freePort } from "../stages/listen.ts";
import {
  AGENT,
  answering,
  book,
  cardOf,
  exited,
  launch,
  run,
  say,
  stopAndGoOn,
  writeGuide,
} from "./guide-app.ts";
import { checkout, pack } from "./installed.ts";

const GENERATOR = "create-next-app@16.4.3";
const FILES = {
  ...AGENT,
  "app/page.tsx": "app/page.tsx",
  "app/run/[...path]/route.ts": "app/run/[...path]/route.ts",
  "app/api/own-chat/route.ts": "app/api/own-chat/route.ts",
  "app/own/page.tsx": "app/own/page.tsx",
  "instrumentation.ts": "instrumentation.ts",
};
const MODES = [
  { name: "development, Turbopack", start: ["dev"] },
  { name: "development, webpack", start: ["dev", "--webpack"] },
  { name: "production, Turbopack", build: ["build"], start: ["start"] },
  { name: "production, webpack", build: ["build", "--webpack"], start: ["start"] },
];

const parent = await mkdtemp(join(tmpdir(), "elicit-kit-next-"));
const folder = join(parent, "my-chat");
const browser = await chromium.launch(chromiumLaunchOptions());
let server: ChildProcess | undefined;
try {
  const port = await freePort();
  await run(parent, "npx", "--yes", GENERATOR, "my-chat", "--yes", "--skip-install");
  await cp(join(checkout, "test", "fixtures", "next"), folder, { recursive: true });
  await writeGuide(folder, FILES, { page: port, server: port });
  const { tarball } = await pack(parent);
  await run(
    folder,
    "npm",
    "install",
    "--loglevel=error",
    "ai@7.0.173",
    "@ai-sdk/react@4.0.177",
    "zod@4.6.7",
    tarball,
  );
  const only = process.argv.slice(2).join(" ");
  for (const { name, build, start } of MODES.filter((mode) => mode.name.includes(only))) {
    if (build !== undefined) await run(folder, "next", ...build);
    server = launch(folder, "next", [...start, "--port", String(port)]);
    const page = await browser.newPage();
    await tryOut(page, `http://localhost:${port}`, { isDevelopment: build === undefined });
    await page.close();
    await stopWithOpenQuestion(server);
    console.log(`next, ${name}: asked in Chromium, answered, and the turn went on`);
  }
} finally {
  await browser.close();
  server?.kill("SIGKILL");
  await rm(parent, { recursive: true, force: true });
}

async function tryOut(page: Page, url: string, { isDevelopment }: { isDevelopment: boolean }): Promise<void> {
  page.setDefaultTimeout(120_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  // The page comes first: the routes must find the runtime that it creates from lib/runtime.ts.
  await answering(`${url}/together`);
  await page.goto(`${url}/together`);
  await page.getByText("The page sees 0 open requests.").waitFor();
  await page.getByRole("button", { name: "Count" }).click();
  await page.waitForURL(`${url}/together?open=0`);

  await page.goto(url);
  await say(page, "Book me a hotel");
  await book(page, "Lisbon", 3);
  await say(page, "Book me another one");
  await cardOf(page).getByLabel("City").waitFor();
  if (isDevelopment) {
    // An edit reloads the app's files. The open question survives that.
    await appendFile(join(folder, "lib", "session.ts"), "// edited\n");
    await page.waitForTimeout(3_000);
  }
  await book(page, "Porto", 2);
  await stopAndGoOn(page);

  await page.goto(`${url}/own`);
  await say(page, "Book me a hotel");
  await book(page, "Faro", 4);

  await page.goto(`${url}/on-the-server`);
  await page.getByText("Which hotel shall I book?").first().waitFor();
  await page.getByText("Sent").first().waitFor();
  if (errors.length > 0) throw new Error(`elicit-kit: the page threw ${errors.join(", ")}`);

  await page.goto(url);
  await say(page, "Book me one more");
  await cardOf(page).getByLabel("City").waitFor();
}

/** A question is open: the server still ends on SIGTERM, because instrumentation.ts closes the runtime. */
async function stopWithOpenQuestion(running: ChildProcess): Promise<void> {
  const ended = exited(running);
  running.kill("SIGTERM");
  const late = new Promise<"late">((resolve) => setTimeout(() => resolve("late"), 60_000).unref());
  if ((await Promise.race([ended, late])) === "late")
    throw new Error("elicit-kit: the server still ran 60 seconds after SIGTERM.");
}
