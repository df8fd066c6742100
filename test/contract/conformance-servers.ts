/**
 * The servers of docs/evidence/conformance.md, in the order of its columns. Each is started, checked by `check` at its level, and
 * stopped.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { conformanceCases, type ConformanceHooks, runCase } from "elicit-kit/conformance";
import type { CaseResult } from "../../extras/conformance/case.ts";
import type { ConformanceLevel } from "../../extras/conformance/case.ts";
import { createDbosRunner } from "elicit-kit/dbos";
import { createMockServer } from "elicit-kit/mock-server";
import { createPostgresPorts, type PostgresPorts } from "elicit-kit/postgres";
import type { RuntimeOptions } from "elicit-kit/runtime";
import tinyHooks from "../../docs/examples/tiny-server-hooks.ts";
import { server as tinyServer } from "../../docs/examples/tiny-server.ts";
import { startPostgres } from "../../tools/postgres.mjs";
import { listen } from "../stages/listen.ts";
import { createSeedServer, type SeedQuestion } from "../stages/seed-server.ts";
import { contractAgent } from "./contract-agent.ts";
import { completionsHook, contractHooks, outsideHooks } from "./contract-options.ts";
import { startContractRuntime } from "./serve-contract-runtime.ts";

export interface CheckedServer {
  readonly name: string;
  readonly level: ConformanceLevel;
  check(): Promise<readonly CaseResult[]>;
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

async function checkAll(
  level: ConformanceLevel,
  target: { api: string; hooks: ConformanceHooks; fetch?: typeof fetch },
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const each of conformanceCases) {
    if (level === "full" || each.level === level) results.push(await runCase(each, target));
  }
  return results;
}

async function checkRuntime(ports: Partial<RuntimeOptions> = {}): Promise<readonly CaseResult[]> {
  const server = await startContractRuntime(ports);
  const { elicitations } = server.runtime;
  const hooks = {
    ...contractHooks,
    ...completionsHook(server.url),
    ...outsideHooks({
      completeOutside: async (id) => void (await elicitations.complete(id)),
      failOutside: async (lastError, id) => void (await elicitations.fail(id, lastError)),
    }),
  };
  try {
    return await checkAll("full", { api: `${server.url}/run/api`, hooks });
  } finally {
    await server.close();
  }
}

async function onPostgres(
  check: (ports: PostgresPorts, connectionString: string) => Promise<readonly CaseResult[]>,
  { durable = false } = {},
): Promise<readonly CaseResult[]> {
  const { url, stop } = await startPostgres();
  const ports = await createPostgresPorts({
    connectionString: url,
    key: Buffer.alloc(32, 2),
    durable,
    onError: console.error,
  });
  try {
    return await check(ports, url);
  } finally {
    await ports.close();
    await stop();
  }
}

async function checkMock(level: ConformanceLevel): Promise<readonly CaseResult[]> {
  const server = createMockServer({ ...contractAgent, level });
  const origin = "http://mock.test";
  const hooks = { ...contractHooks, ...completionsHook(origin), ...outsideHooks(server) };
  try {
    return await checkAll(level, { api: `${origin}/run/api`, hooks, fetch: server.fetch });
  } finally {
    await server.close();
  }
}

async function firstUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("elicit-kit: the Python server has no output.");
  for await (const line of createInterface(stdout)) if (line.startsWith("http://")) return line;
  throw new Error("elicit-kit: the Python server ended before it said where it listens.");
}

/** The suite runs in a separate process, because its hooks read their settings from the environment. */
async function checkPython(): Promise<readonly CaseResult[]> {
  const example = "../../docs/examples/python-server";
  const server = spawn(
    process.env["PYTHON"] ?? "python3",
    [path(`${example}/server.py`), "--port", "0", "--test-controls"],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
    },
  );
  try {
    const api = await firstUrl(server);
    const args = [path("../../extras/cli/start.ts"), "conformance", api, "--json"];
    const suite = spawn(process.execPath, [...args, "--hooks", path(`${example}/conformance-hooks.mjs`)], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, SERVER: new URL(api).origin },
    });
    let out = "";
    suite.stdout.on("data", (text: Buffer) => (out += text.toString()));
    await once(suite, "close");
    const { cases }: { cases: readonly CaseResult[] } = JSON.parse(out);
    return cases;
  } finally {
    server.kill();
  }
}

async function checkTiny(): Promise<readonly CaseResult[]> {
  const { url, close } = await listen(tinyServer);
  try {
    return await checkAll("basic", { api: `${url}/run/api`, hooks: tinyHooks });
  } finally {
    await close();
  }
}

/** This server has no users, because the founding documents leave identity to the deployment. */
function checkSeeds(): Promise<readonly CaseResult[]> {
  let asked = 0;
  const server = createSeedServer((text): SeedQuestion => {
    const elicitationId = `conv:1/${(asked += 1)}`;
    return text === "Book a hotel."
      ? { elicitationId, message: "Where to?", requestedSchema: { type: "object", properties: {} } }
      : { elicitationId, message: "Linear requires authentication.", url: "/auth/connect?toolId=linear" };
  });
  const nobody = { headers: {} };
  const form = { message: "Book a hotel.", fits: {}, alsoFits: {}, misfits: { city: 1 } };
  return checkAll("basic", {
    api: "http://seed.test/run/api",
    hooks: { people: [nobody, nobody], connect: "List my issues.", form },
    fetch: (input, init) => server.fetch(new Request(input, init)),
  });
}

const answerKey = Buffer.alloc(32, 1);

export const checkedServers: readonly CheckedServer[] = [
  { name: "Runtime, in memory", level: "full", check: () => checkRuntime() },
  {
    name: "Runtime on PostgreSQL",
    level: "full",
    check: () => onPostgres((ports) => checkRuntime({ ports, answerKey })),
  },
  {
    name: "Durable runtime on PostgreSQL",
    level: "full",
    check: () => onPostgres((ports) => checkRuntime({ ports, answerKey }), { durable: true }),
  },
  {
    name: "Durable runtime, on DBOS",
    level: "full",
    check: () =>
      onPostgres(async (ports, connectionString) => {
        const runner = await createDbosRunner({ ports, connectionString, onError: console.error });
        try {
          return await checkRuntime({ ports: { ...ports, runner }, answerKey });
        } finally {
          await runner.close();
        }
      }),
  },
  { name: "Mock server", level: "full", check: () => checkMock("full") },
  { name: "Python example", level: "full", check: checkPython },
  { name: "Mock server, level basic", level: "basic", check: () => checkMock("basic") },
  { name: "Tiny server example", level: "basic", check: checkTiny },
  { name: "Founding documents only", level: "basic", check: checkSeeds },
];
