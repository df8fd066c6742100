/**
 * `elicit-kit init` of the packed package in new apps, as `create-next-app` and `create-vite` make them: what it writes
 * compiles, starts, and asks in Chromium. `node test/package/init-app.ts` after a build, or the names of some apps. Part of
 * `npm run test:long`.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";
import { answering, book, exited, freePort, launch, run, say, stopAndGoOn } from "./guide-app.ts";
import { pack } from "./installed.ts";

const NEXT = ["create-next-app@16.4.3", "--yes", "--skip-install", "--disable-git"];
const VITE = ["create-vite@9.3.0", "--no-interactive", "--template"];

interface App {
  name: string;
  generator: readonly string[];
  /** Packages that the app has before. */
  has?: readonly string[];
  compile: readonly (readonly [string, ...string[]])[];
  start: (port: string) => readonly [string, ...string[]];
  page: string;
}

const vite = (template: string, ...start: [string, string]): Omit<App, "name"> => ({
  generator: [...VITE, template],
  compile: template.endsWith("-ts") ? [["tsc", "-b"]] : [],
  start: () => start,
  page: "/chat.html",
});
const next = (...options: readonly string[]): Omit<App, "name"> => ({
  generator: [...NEXT, ...options],
  // Not next build: the layout of create-next-app loads a font from Google, which a machine without the web cannot.
  compile: options.includes("--js")
    ? []
    : [
        ["next", "typegen"],
        ["tsc", "-p", "."],
      ],
  start: (port) => ["next", "dev", "--port", port],
  page: "/chat",
});

const APPS: readonly App[] = [
  { name: "next", ...next() },
  { name: "next-js-src-6", ...next("--js", "--src-dir"), has: ["ai@6.0.323", "@ai-sdk/react@3"] },
  { name: "vite-hono", ...vite("react-ts", "tsx", "chat-server.ts") },
  { name: "vite-express-5", ...vite("react-ts", "tsx", "chat-server.ts"), has: ["express", "ai@5.0.277"] },
  { name: "vite-js", ...vite("react", "node", "chat-server.js") },
];

const chosen = APPS.filter(({ name }) => process.argv.length === 2 || process.argv.includes(name));
const parent = await mkdtemp(join(tmpdir(), "elicit-kit-init-"));
const browser = await chromium.launch(chromiumLaunchOptions());
let server: ChildProcess | undefined;
try {
  const { tarball } = await pack(parent);
  for (const { name, generator, has = [], compile, start, page: path } of chosen) {
    const folder = join(parent, name);
    const [program = "", ...options] = generator;
    await run(parent, "npx", "--yes", program, name, ...options);
    await run(folder, "npm", "install", "--loglevel=error", tarball, ...has);
    await run(folder, "elicit-kit", "init", "--mock", "--yes");
    for (const [compiler, ...args] of compile) await run(folder, compiler, ...args);

    const port = String(await freePort());
    const url = `http://localhost:${port}`;
    const [command, ...args] = start(port);
    server = launch(folder, command, args, { PORT: port, CHAT_ORIGIN: url });
    await answering(`${url}${path}`);
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${url}${path}`);
    await say(page, "Book me a hotel");
    await book(page, "Lisbon", 3);
    await stopAndGoOn(page);
    if (errors.length > 0) throw new Error(`elicit-kit: the page threw ${errors.join(", ")}`);
    await page.close();
    const ended = exited(server);
    server.kill("SIGTERM");
    await ended;
    console.log(`init, ${name}: asked in Chromium, answered, and the turn continued`);
  }
} finally {
  await browser.close();
  server?.kill("SIGKILL");
  await rm(parent, { recursive: true, force: true });
}
