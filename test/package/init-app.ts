/**
 * `elicit-kit init` of the packed package in new apps, as `create-next-app` and `create-vite` make them: what it writes
 * compiles, starts as it says, and asks in Chromium. `node test/package/init-app.ts` after a build, or the names of some
 * apps. Part of `npm run test:long`.
 */
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Client } from "pg";
import { type Page, chromium } from "playwright";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";
import { freePort } from "../stages/listen.ts";
import { startPostgres } from "../../tools/postgres.mjs";
import {
  answering,
  book,
  cardOf,
  endGroup,
  exited,
  launch,
  run,
  runAndRead,
  say,
  stopAndGoOn,
} from "./guide-app.ts";
import { pack } from "./installed.ts";
import { followLines, type OwnApp, ownNextChat, ownViteChat, writeOwnApp } from "./own-apps.ts";

const NEXT = ["create-next-app@16.4.3", "--yes", "--skip-install", "--disable-git"];
const VITE = ["create-vite@9.3.0", "--no-interactive", "--template"];

/** The package of each manager, and the file by which `init` detects it. */
const MANAGERS = {
  npm: undefined,
  pnpm: { from: "pnpm@12.21.0", lockfile: "pnpm-lock.yaml" },
  yarn: { from: "@yarnpkg/cli-dist@4.18.1", lockfile: "yarn.lock" },
  bun: { from: "bun@1.3.3", lockfile: "bun.lock" },
} as const;

interface App {
  name: string;
  generator: readonly string[];
  /** Packages that the app already has. */
  has?: readonly string[];
  flags?: readonly ("--connect" | "--postgres")[];
  /** @default "npm" */
  manager?: keyof typeof MANAGERS;
  /** Files of an app with its own chat, and maybe a server. The test applies the lines that init prints. */
  own?: OwnApp;
  compile: readonly (readonly [string, ...string[]])[];
  page: string;
}

const vite = (template: string): Omit<App, "name"> => ({
  generator: [...VITE, template],
  compile: template.endsWith("-ts") ? [["tsc", "-b"]] : [],
  page: "/chat.html",
});
const next = (...options: readonly string[]): Omit<App, "name"> => ({
  generator: [...NEXT, ...options],
  compile: options.includes("--js")
    ? []
    : [
        ["next", "typegen"],
        ["tsc", "-p", "."],
      ],
  page: "/chat",
});

const chatHas = (aiSdk: 5 | 6 | 7) => [`ai@${AI[aiSdk]}`, `@ai-sdk/react@${REACT[aiSdk]}`, "zod@4.6.7"];
const AI = { 5: "5.0.277", 6: "6.0.323", 7: "7.0.173" } as const;
const REACT = { 5: 2, 6: 3, 7: 4 } as const;

const APPS: readonly App[] = [
  ...([7, 6, 5] as const).map((aiSdk): App => {
    const own = ownNextChat(aiSdk);
    return { name: `own-next-${aiSdk}`, ...next(), page: "/assistant", has: chatHas(aiSdk), own };
  }),
  {
    name: "own-vite-hono",
    ...vite("react-ts"),
    page: "/",
    has: [...chatHas(7), "hono", "@hono/node-server", "tsx"],
    own: ownViteChat("hono"),
  },
  {
    name: "own-vite-express-6",
    ...vite("react-ts"),
    page: "/",
    has: [...chatHas(6), "express@5.3.0", "@types/express@5.0.6", "tsx"],
    own: ownViteChat("express"),
  },
  { name: "next", ...next() },
  { name: "next-js-src-6", ...next("--js", "--src-dir"), has: ["ai@6.0.323", "@ai-sdk/react@3"] },
  { name: "next-connect", ...next("--src-dir"), flags: ["--connect"] },
  { name: "next-connect-postgres-6", ...next(), has: ["ai@6.0.323"], flags: ["--connect", "--postgres"] },
  { name: "vite-hono", ...vite("react-ts") },
  { name: "vite-hono-connect", ...vite("react-ts"), flags: ["--connect"] },
  { name: "vite-hono-postgres", ...vite("react-ts"), flags: ["--postgres"] },
  { name: "vite-express-5", ...vite("react-ts"), has: ["express", "ai@5.0.277"] },
  {
    name: "vite-express-connect-postgres",
    ...vite("react-ts"),
    has: ["express"],
    flags: ["--connect", "--postgres"],
  },
  { name: "vite-js", ...vite("react") },
  { name: "vite-pnpm", ...vite("react-ts"), manager: "pnpm" },
  { name: "vite-yarn", ...vite("react-ts"), manager: "yarn" },
  { name: "vite-bun", ...vite("react-ts"), manager: "bun" },
];

const chosen = APPS.filter(({ name }) => process.argv.length === 2 || process.argv.includes(name));
const parent = await mkdtemp(join(tmpdir(), "elicit-kit-init-"));
const browser = await chromium.launch(chromiumLaunchOptions());
const postgres = chosen.some(({ flags }) => flags?.includes("--postgres"))
  ? await startPostgres()
  : undefined;
const KEY = randomBytes(32).toString("base64");
let databases = 0;
const servers: ChildProcess[] = [];
try {
  const { tarball } = await pack(parent);
  for (const { name, generator, has = [], flags = [], manager = "npm", compile, page: path, own } of chosen) {
    const folder = join(parent, name);
    const [program = "", ...options] = generator;
    await run(parent, "npx", "--yes", program, name, ...options);
    await prepare(folder, manager);
    await run(folder, manager, "install");
    if (has.length > 0) await run(folder, manager, "add", ...has);
    const port = String(await freePort());
    const serverPort = String(await freePort());
    if (own !== undefined) await writeOwnApp(folder, own, serverPort);

    const began = Date.now();
    await run(folder, manager, "add", tarball);
    await access(join(folder, MANAGERS[manager]?.lockfile ?? "package-lock.json"));
    const says = await runAndRead(folder, "elicit-kit", "init", "--mock", "--yes", ...flags);
    await followLines(folder, says, own === undefined ? 0 : 3);
    const url = `http://localhost:${port}`;
    const database = flags.includes("--postgres") ? await createDatabase() : undefined;
    const settings = {
      PORT: port,
      CHAT_ORIGIN: url,
      ...(flags.includes("--connect") && (await pageSettings(path, port))),
    };
    if (database !== undefined) {
      const lines = [`DATABASE_URL=${database}`, `ANSWER_KEY=${KEY}`, `SECRETS_KEY=${KEY}`];
      await writeFile(join(folder, ".env.local"), lines.join("\n"));
    }
    if (own?.server !== undefined) {
      servers.push(launch(folder, "tsx", [own.server], settings, { detached: true }));
      await answering(`http://localhost:${serverPort}/api/me`);
    }
    const start = own === undefined ? startIn(says) : own.start(port);
    servers.push(launch(folder, ...start, settings, { detached: true }));
    await answering(`${url}${path}`);
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${url}${path}`);
    await say(page, "Book me a hotel");
    await cardOf(page).getByLabel("City").waitFor();
    const seconds = Math.round((Date.now() - began) / 1_000);
    await book(page, "Lisbon", 3);
    await stopAndGoOn(page);
    if (flags.includes("--connect")) await connectGithub(page);
    if (database !== undefined) await expectRecords(database);
    if (errors.length > 0) throw new Error(`elicit-kit: the page threw ${errors.join(", ")}`);
    await page.close();
    for (const server of servers.splice(0)) {
      const ended = exited(server);
      endGroup(server, "SIGTERM");
      await ended;
    }
    const again = await runAndRead(folder, "elicit-kit", "init", "--mock", "--dry-run", ...flags);
    if (again.includes("Yours to change")) throw new Error("elicit-kit: init still wants changes.");
    for (const [compiler, ...args] of compile) await run(folder, compiler, ...args);
    if (program === NEXT[0]) {
      await useLocalFonts();
      await run(folder, "next", "build");
      await tryProduction(folder, path, ["next", ["start"]], settings);
    } else if (own === undefined) {
      await followBuildLine(folder, says);
      await run(folder, "vite", "build");
      await tryProduction(folder, path, start, { ...settings, NODE_ENV: "production" });
    }
    console.log(`init, ${name}: asked in Chromium after ${seconds} s, answered, and the turn continued`);
  }
} finally {
  await browser.close();
  for (const server of servers) endGroup(server, "SIGKILL");
  await postgres?.stop();
  await rm(parent, { recursive: true, force: true, maxRetries: 10 });
}

/** Sets the option that `init` names for `vite build`. */
async function followBuildLine(folder: string, says: string): Promise<void> {
  const [, option] = /after (build: .+) in vite\.config/.exec(says) ?? [];
  if (option === undefined) throw new Error("elicit-kit: init does not say how to build for production.");
  const file = join(folder, (await readdir(folder)).find((name) => name.startsWith("vite.config.")) ?? "");
  const config = await readFile(file, "utf8");
  await writeFile(
    file,
    config.replace("defineConfig({", () => `defineConfig({ ${option},`),
  );
}

async function useLocalFonts(): Promise<void> {
  // The layout of create-next-app loads two fonts from Google, which the test machine may not reach.
  const css = "@font-face { font-family: Geist; font-weight: 100 900; src: local('Arial'); }";
  const fonts = ["Geist", "Geist+Mono"].map((name) => [
    `https://fonts.googleapis.com/css2?family=${name}:wght@100..900&display=swap`,
    css,
  ]);
  const mocked = join(parent, "fonts.cjs");
  await writeFile(mocked, `module.exports = ${JSON.stringify(Object.fromEntries(fonts))};`);
  process.env["NEXT_FONT_GOOGLE_MOCKED_RESPONSES"] = mocked;
}

/** Starts the built app: the page asks, and the turn continues with the answer. */
async function tryProduction(
  folder: string,
  path: string,
  start: readonly [program: string, args: string[]],
  settings: Record<string, string>,
): Promise<void> {
  const server = launch(folder, ...start, settings, { detached: true });
  servers.push(server);
  const url = `http://localhost:${settings["PORT"]}${path}`;
  await answering(url);
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(url);
  await say(page, "Book me a hotel");
  await book(page, "Porto", 2);
  await page.close();
  servers.splice(servers.indexOf(server), 1);
  const ended = exited(server);
  endGroup(server, "SIGTERM");
  await ended;
}

/** Puts a package manager before the others on this machine. */
async function prepare(folder: string, manager: keyof typeof MANAGERS): Promise<void> {
  const other = MANAGERS[manager];
  if (other === undefined) return;
  const home = join(parent, manager);
  await run(parent, "npm", "install", "--loglevel=error", "--prefix", home, other.from);
  process.env["PATH"] = [join(home, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  if (manager !== "yarn") return;
  // By default Yarn stores packages where `node` and this test do not look.
  await writeFile(join(folder, ".yarnrc.yml"), "nodeLinker: node-modules\nenableTelemetry: false\n");
  await writeFile(join(folder, "yarn.lock"), "");
  // Later versions name an optional package for Windows. Yarn cannot do without it, and not every registry has it.
  await run(folder, "npm", "pkg", "set", "devDependencies.vite=8.3.8");
}

/** The command that `init` has printed below the settings. */
function startIn(says: string): [program: string, args: string[]] {
  const lines = says.slice(says.indexOf("Done. Next:")).split("\n");
  const command = lines[lines.findIndex((line) => line.startsWith("Open ")) - 1] ?? "";
  const [program = "", ...args] = command.split(" ");
  return [program, args];
}

/** The hosted page's own origin. Next.js also serves it, under the other name of this machine. */
async function pageSettings(path: string, port: string): Promise<Record<string, string>> {
  if (path === "/chat") return { NEXT_PUBLIC_PAGE_ORIGIN: `http://127.0.0.1:${port}` };
  return { VITE_PAGE_ORIGIN: `http://localhost:${await freePort()}` };
}

/** The tool needs an account: the user connects it in the window, and the same call lists the repositories. */
async function connectGithub(page: Page): Promise<void> {
  await say(page, "List my repositories");
  const card = page.getByRole("group", { name: "Connect GitHub" });
  const [window] = await Promise.all([
    page.waitForEvent("popup"),
    card.getByRole("button", { name: "Connect" }).click(),
  ]);
  await window.getByRole("button", { name: "Continue" }).click();
  await page.getByText("ada/engine, ada/notes").waitFor();
  await say(page, "List my repositories");
  await page.getByText("ada/engine, ada/notes").nth(1).waitFor();
}

async function createDatabase(): Promise<string> {
  if (postgres === undefined) throw new Error("elicit-kit: no app asks for a database.");
  databases += 1;
  await onDatabase(postgres.url, `create database app_${databases}`);
  return Object.assign(new URL(postgres.url), { pathname: `/app_${databases}` }).href;
}

async function expectRecords(url: string): Promise<void> {
  const [found] = await onDatabase(url, "select count(*)::int as count from elicit_kit.records");
  if (!((found?.["count"] ?? 0) > 2)) throw new Error("elicit-kit: the requests are not in the database.");
}

async function onDatabase(url: string, statement: string): Promise<Record<string, number>[]> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}
