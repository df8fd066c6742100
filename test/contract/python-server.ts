/**
 * Runs the conformance suite against the Python server of docs/examples, with the limits and times of the contract.
 * Skipped with a message if there is no python3. The exit code is 0 only if each case has passed.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const EXAMPLE = "../../docs/examples/python-server";

/** What the example leaves out: the contract asks no server for it. */
const NOT_OFFERED = [
  "inbox",
  "proposals",
  "remember",
  "delegate",
  "review",
  "background",
  "more-time",
  "link",
  "assign",
];

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("elicit-kit: the Python server has no output.");
  for await (const line of createInterface(stdout)) {
    if (line.startsWith("http://")) return line;
  }
  throw new Error("elicit-kit: the Python server ended before it said where it listens.");
}

async function check(python: string): Promise<number> {
  const server = spawn(python, [path(`${EXAMPLE}/server.py`), "--port", "0", "--test-controls"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  try {
    const api = await urlOf(server);
    const hooks = path(`${EXAMPLE}/conformance-hooks.mjs`);
    const args = [path("../../extras/cli/start.ts"), "conformance", api, "--hooks", hooks];
    const suite = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, SERVER: new URL(api).origin },
    });
    let out = "";
    suite.stdout.on("data", (text: Buffer) => {
      process.stdout.write(text);
      out += text.toString();
    });
    const [code] = await once(suite, "close");
    // An unchecked case has not passed, unless it is about something that a server need not offer.
    const unchecked = [...out.matchAll(/^not checked +([\w-]+)\//gm)].map(([, part = ""]) => part);
    return code === 0 && unchecked.every((part) => NOT_OFFERED.includes(part)) ? 0 : 1;
  } finally {
    server.kill();
  }
}

const python = process.env["PYTHON"] ?? "python3";
if (spawnSync(python, ["--version"]).error === undefined) process.exitCode = await check(python);
else console.log(`skipped: there is no ${python}. Set PYTHON to a Python 3.9 or newer to check its server.`);
