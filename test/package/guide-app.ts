/**
 * The parts that the tests of new apps share: the guide's files, the packed package, processes, and a user at the chat.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import type { Page } from "playwright";
import { checkout, ownEnvironment } from "./installed.ts";

/** Files of the guide that are the same in each app. */
export const AGENT = {
  "lib/book-hotel.ts": "lib/book-hotel.ts",
  "lib/runtime.ts": "lib/runtime.ts",
  "lib/session.ts": "lib/session.ts",
  "lib/model.ts, without a key": "lib/model.ts",
};

const GUIDES = ["start/quickstart.md", "start/your-chat-route.md"];

/**
 * Writes files of the guide into an app.
 *
 * @param files the path in the app of each file, by its heading in the guide, such as `lib/model.ts, without a key`
 * @param ports instead of the guide's 5173 and 3000, which may be in use
 */
export async function writeGuide(
  folder: string,
  files: Readonly<Record<string, string>>,
  ports: { page: number; server: number },
): Promise<void> {
  const guide = await Promise.all(GUIDES.map((name) => readFile(join(checkout, "docs", name), "utf8")));
  const code = new Map(
    [...guide.join("\n").matchAll(/^`(\S+)`(, .+)?\n\n```tsx?\n([^]*?)^```$/gm)].map(
      ([, file = "", variant = "", text = ""]) => [file + variant, text],
    ),
  );
  for (const [file, place] of Object.entries(files)) {
    const text = code.get(file);
    if (text === undefined) throw new Error(`elicit-kit: the guide has no ${file} any more.`);
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await writeFile(
      join(folder, place),
      text.replaceAll("5173", String(ports.page)).replaceAll("3000", String(ports.server)),
    );
  }
}

/** Writes the Vite app of the guide into a folder, with the Hono server beside it. Its packages are not installed yet. */
export async function writeViteGuide(folder: string, ports: { page: number; server: number }): Promise<void> {
  await cp(join(checkout, "test", "fixtures", "vite"), folder, {
    recursive: true,
    filter: (path) => !/\/node_modules(?:\/|$)/.test(path.slice(checkout.length)),
  });
  const files = {
    ...AGENT,
    "server-hono.ts": "server-hono.ts",
    "vite.config.ts": "vite.config.ts",
    "app/page.tsx": "src/App.tsx",
  };
  await writeGuide(folder, files, ports);
}

/** Compiles the Vite app of the guide, and starts it with its server. Returns the address of its page. */
export async function startViteGuide(
  folder: string,
  ports: { page: number },
  started: ChildProcess[],
): Promise<string> {
  await run(folder, "tsc", "-p", ".");
  await run(folder, "vite", "build", "--logLevel", "warn");
  started.push(launch(folder, "tsx", ["server-hono.ts"]));
  started.push(launch(folder, "vite", ["--port", String(ports.page), "--strictPort"]));
  const url = `http://localhost:${ports.page}`;
  await answering(url);
  return url;
}

/** Starts a program of the app, or of this machine. */
export function launch(
  folder: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { stdout = "inherit", detached = false }: { stdout?: "inherit" | "pipe"; detached?: boolean } = {},
): ChildProcess {
  const path = [join(folder, "node_modules", ".bin"), dirname(process.execPath), process.env["PATH"]];
  return spawn(program, args, {
    cwd: folder,
    detached,
    stdio: ["inherit", stdout, "inherit"],
    env: { ...ownEnvironment(), PATH: path.join(delimiter), NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
}

export async function run(folder: string, program: string, ...args: readonly string[]): Promise<void> {
  const code = await exited(launch(folder, program, args));
  if (code !== 0)
    throw new Error(`elicit-kit: ${program} ${args.join(" ")} failed (exit code ${String(code)}).`);
}

/** Like `run`, and returns the output of the program. */
export async function runAndRead(
  folder: string,
  program: string,
  ...args: readonly string[]
): Promise<string> {
  const child = launch(folder, program, args, {}, { stdout: "pipe" });
  let said = "";
  child.stdout?.on("data", (text: Buffer) => {
    said += text.toString();
    process.stdout.write(text);
  });
  const code = await exited(child);
  if (code !== 0)
    throw new Error(`elicit-kit: ${program} ${args.join(" ")} failed (exit code ${String(code)}).`);
  return said;
}

/** Ends a program that was started detached, with all its child processes, because npx passes no signals on. */
export function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has already ended.
  }
}

export function exited(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
}

/** Resolves when an app serves its page. */
export async function answering(url: string): Promise<void> {
  for (let attempt = 1; attempt <= 120; attempt += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`elicit-kit: nothing answers at ${url}.`);
}

/** The card of the guide's tool. */
export function cardOf(page: Page) {
  return page.getByRole("group", { name: "Which hotel shall I book?" });
}

export async function say(page: Page, text: string): Promise<void> {
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill(text);
  await message.press("Enter");
}

/** Answers the guide's question, and waits until the turn has continued with the answer. */
export async function book(page: Page, city: string, nights: number): Promise<void> {
  const card = cardOf(page);
  await card.getByLabel("City").fill(city);
  await card.getByLabel("Nights").fill(String(nights));
  await card.getByRole("button", { name: "Send" }).click();
  await page.getByText(`Booked ${nights} nights in ${city}.`).waitFor();
}

/** A stopped turn leaves a call without its result in the chat. The next message must still get its reply. */
export async function stopAndGoOn(page: Page): Promise<void> {
  await say(page, "Book me another one");
  await cardOf(page).getByLabel("City").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await cardOf(page).getByLabel("City").waitFor({ state: "hidden" });
  await say(page, "Book me one in Porto");
  await book(page, "Porto", 2);
}
