import { spawn } from "node:child_process";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { type Plan, planInit } from "./plan.ts";
import { ProjectError, inspectProject } from "./project.ts";

const USAGE = `elicit-kit init [--connect] [--postgres] [--mock] [--dry-run] [--yes]

Adds an agent that asks to the app in this folder: a tool, a runtime, its route, and a
chat page with the card. Knows Next.js, and Vite with React, with Hono or Express; AI SDK
7, 6 and 5. It shows what it will write and asks once. It never changes a file that is
there: it prints the lines to add.

  --connect   Also the page where users connect an account, with GitHub as the provider.
  --postgres  Keeps requests and turns in PostgreSQL, at DATABASE_URL.
  --mock      A script in place of the model, and of GitHub, so that you need no key.
  --dry-run   Shows what it would write, and ends.
  --yes       Does not ask.

Exit code: 0 when it is done, 1 when you said no or a package could not be installed,
2 when it could not begin.
`;

/** Runs `elicit-kit init`. @returns its exit code */
export async function runInit(args: readonly string[]): Promise<number> {
  try {
    return await main(args);
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    process.stderr.write(`elicit-kit: ${error.message}\nSee elicit-kit init --help.\n`);
    return 2;
  }
}

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options.help === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  const folder = process.cwd();
  const { mock = false, connect = false, postgres = false } = options;
  const plan = planInit(inspectProject(folder), { mock, connect, postgres });
  process.stdout.write(visible(summaryOf(plan)));
  if (options["dry-run"] === true) return 0;
  if (options.yes !== true && !(await isAgreed())) {
    process.stdout.write("Nothing was written.\n");
    return 1;
  }
  for (const [path, text] of Object.entries(plan.write)) {
    await mkdirInside(folder, dirname(path));
    // Fails if the file was created after the question was shown.
    await writeFile(join(folder, path), text, { flag: "wx" });
  }
  if (plan.install !== undefined && (await run(plan.install)) !== 0) {
    process.stderr.write(
      `elicit-kit: the files are written. Install the packages by hand: ${plan.install.join(" ")}\n`,
    );
    return 1;
  }
  process.stdout.write(["", "Done. Next:", ...plan.start, ""].join("\n"));
  return 0;
}

/** Makes the folder of a file, and refuses one that a link leads out of the app. */
async function mkdirInside(folder: string, path: string): Promise<void> {
  const root = await realpath(folder);
  let made = folder;
  for (const name of path.split("/")) {
    made = join(made, name);
    await mkdir(made, { recursive: true });
    const place = relative(root, await realpath(made));
    if (place === ".." || place.startsWith(`..${sep}`)) {
      throw new ProjectError(
        `${made} is a link out of this app. Replace it by a folder, and run init again.`,
      );
    }
  }
}

/** Text of the app's files, in which control characters and direction marks are written out. */
function visible(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ""}}`);
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        connect: { type: "boolean" },
        postgres: { type: "boolean" },
        mock: { type: "boolean" },
        "dry-run": { type: "boolean" },
        yes: { type: "boolean", short: "y" },
        help: { type: "boolean", short: "h" },
      },
    });
    return values;
  } catch (error) {
    throw new ProjectError(error instanceof Error ? error.message : String(error));
  }
}

function summaryOf({ write, changes, install }: Plan): string {
  const files = Object.keys(write).map((path) => `  ${path}`);
  return [
    ...(files.length > 0 ? ["New files:", ...files, ""] : []),
    ...(install === undefined ? [] : ["Packages:", `  ${install.join(" ")}`, ""]),
    ...(changes.length > 0
      ? ["Yours to change. The numbers are those of the lines as they are now.", ""]
      : []),
    ...changes.flatMap(({ where, text }) => [
      `${where}:`,
      ...text
        .trimEnd()
        .replaceAll(/^(?=.)/gm, "  ")
        .split("\n"),
      "",
    ]),
    "",
  ].join("\n");
}

async function isAgreed(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new ProjectError("Nobody can be asked here. Add --yes, or --dry-run to look only.");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question("Write this? [y/N] ");
  lines.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Resolves with the exit code. */
function run([program = "", ...args]: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    // On Windows, package managers are scripts, which need a shell.
    const child = spawn(program, args, { stdio: "inherit", shell: process.platform === "win32" });
    child.once("error", () => resolve(1)).once("exit", (code) => resolve(code ?? 1));
  });
}
