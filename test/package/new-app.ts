/**
 * The packed package in a new app outside the checkout, as docs/ai-sdk.md makes it: `node test/package/new-app.ts next`,
 * `vite` or `vite-react-18`, after a build. Part of `npm run test:long`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { chromium, type Page } from "playwright";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";
import { checkout, pack } from "./installed.ts";

interface NewApp {
  /** In test/fixtures: what the framework's own generator makes, with exact versions. */
  fixture: string;
  /** What is installed after the fixture's packages. */
  besides?: readonly string[];
  /** Files of the guide, and where the app has them. */
  files: Readonly<Record<string, string>>;
  build: readonly (readonly string[])[];
  start(ports: { page: number; server: number }): readonly (readonly string[])[];
  /** What else must be true of the running app. */
  check?(page: Page, url: string): Promise<void>;
}

const AGENT = {
  "lib/runtime.ts": "lib/runtime.ts",
  "lib/session.ts": "lib/session.ts",
  // The script that the guide offers to those without a key.
  "lib/model.scripted.ts": "lib/model.ts",
};

const VITE: NewApp = {
  fixture: "vite",
  files: {
    ...AGENT,
    "server-hono.ts": "server-hono.ts",
    "vite.config.ts": "vite.config.ts",
    "app/page.tsx": "src/App.tsx",
  },
  build: [
    ["tsc", "-p", "."],
    ["vite", "build", "--logLevel", "warn"],
  ],
  start: ({ page }) => [
    ["tsx", "server-hono.ts"],
    ["vite", "--port", String(page), "--strictPort"],
  ],
};

const APPS: Readonly<Record<string, NewApp>> = {
  next: {
    fixture: "next",
    files: {
      ...AGENT,
      "app/page.tsx": "app/page.tsx",
      "app/run/[...path]/route.ts": "app/run/[...path]/route.ts",
    },
    build: [["next", "build"]],
    start: ({ page }) => [["next", "start", "--port", String(page)]],
    async check(page, url) {
      await page.goto(`${url}/on-the-server`);
      await page.getByText("Travel assistant").first().waitFor();
      await page.getByText("Sent.").first().waitFor();
    },
  },
  vite: VITE,
  "vite-react-18": {
    ...VITE,
    besides: ["react@18.3.1", "react-dom@18.3.1", "@types/react@18.3.31", "@types/react-dom@18.3.7"],
  },
};

const name = process.argv[2] ?? "";
const app = APPS[name];
if (app === undefined) {
  throw new Error(`elicit-kit: there is no app "${name}". The apps are ${Object.keys(APPS).join(", ")}.`);
}
const folder = await mkdtemp(join(tmpdir(), `elicit-kit-${name}-`));
const started: ChildProcess[] = [];
try {
  await tryOut(app);
  console.log(`${name}: asked in Chromium, answered, and the turn went on`);
} finally {
  for (const child of started) child.kill();
  await rm(folder, { recursive: true, force: true });
}

async function tryOut({ fixture, besides = [], files, build, start, check }: NewApp): Promise<void> {
  // Not those of the guide, which may be taken.
  const ports = { page: await freePort(), server: await freePort() };
  if (fixture === "next") ports.server = ports.page;
  await cp(join(checkout, "test", "fixtures", fixture), folder, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|\.next)(?:\/|$)/.test(path.slice(checkout.length)),
  });
  await writeGuide(files, ports);
  const { tarball } = await pack(folder);
  await run("npm", "ci", "--loglevel=error");
  await run("npm", "install", "--no-save", "--loglevel=error", tarball, ...besides);
  for (const [program = "", ...args] of build) await run(program, ...args);
  for (const [program = "", ...args] of start(ports)) started.push(launch(program, args));

  const url = `http://localhost:${ports.page}`;
  await answering(url);
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(url);
    await page.getByRole("textbox", { name: "Message" }).fill("Book me a hotel");
    await page.keyboard.press("Enter");
    const card = page.getByRole("group", { name: "A few details are needed" });
    await card.getByLabel("City").fill("Lisbon");
    await card.getByLabel("Nights").fill("3");
    await card.getByRole("button", { name: "Submit" }).click();
    await page.getByText("Booked 3 nights in Lisbon.").waitFor();
    await stopAndGoOn(page);
    await check?.(page, url);
    if (errors.length > 0) throw new Error(`elicit-kit: the page threw ${errors.join(", ")}`);
  } finally {
    await browser.close();
  }
}

/** A turn that was stopped leaves a call without its result in the chat; the next message still gets its answer. */
async function stopAndGoOn(page: Page): Promise<void> {
  const message = page.getByRole("textbox", { name: "Message" });
  const card = page.getByRole("group", { name: "A few details are needed" });
  await message.fill("Book me another one");
  await message.press("Enter");
  await card.getByLabel("City").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await card.getByLabel("City").waitFor({ state: "hidden" });
  await message.fill("Book me one in Porto");
  await message.press("Enter");
  await card.getByLabel("City").fill("Porto");
  await card.getByLabel("Nights").fill("2");
  await card.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Booked 2 nights in Porto.").waitFor();
}

/** Writes the files that the guide has for this app. */
async function writeGuide(
  files: Readonly<Record<string, string>>,
  ports: { page: number; server: number },
): Promise<void> {
  const guide = await readFile(join(checkout, "docs", "ai-sdk.md"), "utf8");
  const code = new Map(
    [...guide.matchAll(/^`(\S+)`\n\n```tsx?\n(.*?)^```$/gms)].map(([, file = "", text = ""]) => [file, text]),
  );
  for (const [file, place] of Object.entries(files)) {
    const text = code.get(file);
    if (text === undefined) throw new Error(`elicit-kit: docs/ai-sdk.md has no ${file} any more.`);
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await writeFile(
      join(folder, place),
      text.replaceAll("5173", String(ports.page)).replaceAll("3000", String(ports.server)),
    );
  }
}

function launch(program: string, args: readonly string[]): ChildProcess {
  const path = [join(folder, "node_modules", ".bin"), dirname(process.execPath), process.env["PATH"]];
  return spawn(program, args, {
    cwd: folder,
    stdio: "inherit",
    env: { ...process.env, PATH: path.join(delimiter), NEXT_TELEMETRY_DISABLED: "1" },
  });
}

async function run(program: string, ...args: readonly string[]): Promise<void> {
  const child = launch(program, args);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("exit", resolve),
  );
  if (code !== 0)
    throw new Error(`elicit-kit: ${program} ${args.join(" ")} failed (exit code ${String(code)}).`);
}

async function answering(url: string): Promise<void> {
  for (let attempt = 1; attempt <= 120; attempt += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`elicit-kit: nothing answers at ${url}.`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("elicit-kit: there is no free port.");
  return address.port;
}
