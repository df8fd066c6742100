/**
 * `npm run test:long`: installs missing packages and runs the slow tests: the tests that `npm test` leaves out of its own
 * stages (tests tagged `long`), the loads that take minutes, every property test with 10,000 random cases, every story in
 * every look, popups and vouching in Firefox and WebKitGTK, MCP's conformance scenarios for clients, for servers that ask
 * and for sign-in, MCP Inspector, its page and its command lines, the conformance suite against the example server in
 * Python, the ports on PostgreSQL, durable turns on DBOS, a CopilotKit app, tools of other agent frameworks, the runtime
 * on Bun and Deno, older versions of the AI SDK and of TypeScript, installs beside other frameworks with npm, pnpm and
 * Yarn, 100,000 simulated histories of durable turns, faults put into their code, real faults in real processes, the
 * packed package in new apps (Next.js, Vite, React 18 and 19, Vue, Svelte, shadcn/ui, the template, and as `init` sets
 * them up), mutation tests of security-critical code and of the core, and all of `npm test` on a busy machine.
 * `npm run test:long -- guard` runs the named parts only, and `--record` writes how each ended into
 * docs/evidence/long-runs.md. FC_RUNS sets another number of cases; histories of durable turns, which take longer, get a
 * tenth of it. HISTORIES sets another number of simulated ones, ROUNDS of runs on a busy machine. Exit code 0 only when every
 * part passed.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { Worker } from "node:worker_threads";
import { bootstrap, install, main, namesOf, root } from "./bootstrap.mjs";
import { run } from "./child.mjs";
import { ensureOtherBrowsers } from "./install-browsers.mjs";
import { ensureChromium } from "./install-chromium.mjs";
import { withRuns } from "./long-runs.mjs";
import { programOf } from "./program.mjs";

const CASES = process.env["FC_RUNS"] ?? "10000";
const HISTORIES = process.env["HISTORIES"] ?? "100000";
const ROUNDS = Number(process.env["ROUNDS"] ?? 3);

/** The files that are mutated, and the tests that must detect it. */
const MUTATED = {
  guard: ["src/contract/guard.ts", "src/contract/guard.test.ts src/contract/schema.test.ts"],
  reducer: ["src/client/state.ts", "src/client/state.test.ts"],
  inspectUrl: ["src/contract/inspect-url.ts", "src/contract/inspect-url.test.ts"],
  validator: ["src/form/validate.ts src/form/check-value.ts", "src/form/*.test.ts"],
  "mutated-ask": ["src/runtime/ask/*.ts", "src/{features,runtime}/**/*.test.ts"],
  "mutated-client": ["src/client/*.ts", "src/client/*.test.ts src/ai-sdk/*.test.ts"],
  "mutated-form": [
    "src/form/*.ts",
    "src/form/*.test.ts src/connect/page/**/*.test.ts src/react/form-elicitation/*.test.ts",
  ],
  "mutated-oauth": ["src/connect/oauth/*.ts", "src/connect/**/*.test.ts"],
  // Each try makes a database, so only one mutant in ten is tried.
  "mutated-postgres": [
    "extras/postgres/{log,records,runs}/*.ts",
    "extras/postgres/{ports,close,notices,start,clean-up}.test.ts extras/postgres/{log,records,runs}/*.test.ts extras/durable/*.test.ts",
    "10",
  ],
};

/** The scenarios of MCP's own suite for clients that concern calls and requests. */
const MCP_SCENARIOS = [
  "initialize",
  "tools_call",
  "elicitation-sep1034-client-defaults",
  "sep-2322-client-request-state",
  "request-metadata",
  "http-standard-headers",
];

/** @type {Readonly<Record<string, () => Promise<number>>>} each returns an exit code */
const PARTS = {
  ...tagged({ unit: ["node", "dom"], postgres: ["postgres"] }),
  e2e: async () => {
    await ensureChromium();
    // Half an hour is not enough on a busy machine.
    return tool("playwright", ["test", "--grep=@long", `--global-timeout=${90 * 60_000}`]);
  },
  load: () => node(["--expose-gc", "bench/load.ts"]),
  sequential: () => node(["--expose-gc", "bench/sequential.ts"]),
  properties: () => tool("vitest", ["run", "--project", "node", "--project", "dom"], { FC_RUNS: CASES }),
  looks: async () => {
    for (const look of ["dark", "rtl", "narrow"]) {
      const code = await tool("vitest", ["run", "--project", "stories"], { STORYBOOK_LOOK: look });
      if (code !== 0) return code;
    }
    return 0;
  },
  browsers: async () => {
    const { firefox, webkitDriver, minibrowser } = await ensureOtherBrowsers();
    for (const script of ["test/browsers/popup-matrix.ts", "test/browsers/vouching.ts"]) {
      const code =
        (await node([script, "firefox", firefox])) ||
        (await node([script, "webkit", webkitDriver, minibrowser]));
      if (code !== 0) return code;
    }
    return 0;
  },
  mcp: async () => {
    for (const scenario of MCP_SCENARIOS) {
      const code = await node([
        join("node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js"),
        "client",
        "--command",
        `"${process.execPath}" test/interop/mcp/conformance-client.ts`,
        "--scenario",
        scenario,
      ]);
      if (code !== 0) return code;
    }
    return tool("vitest", ["run", "--project", "interop"], { FC_RUNS: CASES });
  },
  durable: async () => {
    await ensureChromium();
    return (
      (await tool("vitest", ["run", "--project", "postgres"], { FC_RUNS: CASES })) ||
      // The same application as in memory, on two processes.
      (await tool("playwright", ["test", "durable.spec", "journeys.spec", "mcp.spec"], { DURABLE: "1" }))
    );
  },
  // The same tests with the steps of turns in DBOS.
  dbos: () =>
    tool("vitest", ["run", "--project", "postgres", "test/durable", "extras/durable"], { ENGINE: "dbos" }),
  simulation: () => node(["test/simulation/run.ts", "--count", HISTORIES]),
  mutants: () => node(["test/simulation/run-mutants.ts"]),
  chaos: () => node(["test/chaos/run.ts"]),
  "mcp-server": () => node(["test/interop/mcp-server/conformance.ts"]),
  "mcp-inspector": async () => {
    await ensureChromium();
    return project("mcp-inspector");
  },
  "mcp-auth": () => node(["test/interop/mcp-auth/suite.ts"]),
  python: () => node(["test/contract/python-server.ts"]),
  compat: () => node(["tools/test.mjs", "compat"]),
  typescript5: async () => {
    await install(join(root, "test", "fixtures", "typescript-5"));
    return (await build()) || (await node(["test/package/typescript-5.ts"]));
  },
  copilotkit: async () => {
    await install(join(root, "bench", "answer", "peers"));
    return tool("vitest", ["run", "--config", "test/fixtures/copilotkit/vitest.config.ts"]);
  },
  "own-route": () => project("own-route"),
  auth: async () => (await project("auth")) || tool("tsc", ["-p", "test/fixtures/auth"]),
  langgraph: () => project("langgraph"),
  "web-runtimes": async () => (await build()) || project("web-runtimes"),
  installs: () => newApp("installs.ts"),
  next: () => newApp("next-app.ts"),
  vite: () => newApp("vite-app.ts"),
  "vite-react-18": () => newApp("vite-app.ts", "react-18"),
  init: () => newApp("init-app.ts"),
  frameworks: () => newApp("frameworks-app.ts"),
  template: () => newApp("template-app.ts"),
  shadcn: () => newApp("shadcn-app.ts"),
  // `npm test` with half of the processor.
  busy: async () => {
    const hogs = Array.from(
      { length: availableParallelism() },
      () => new Worker("for (;;);", { eval: true }),
    );
    try {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const code = await node(["tools/test.mjs"]);
        if (code !== 0) return code;
      }
      return 0;
    } finally {
      await Promise.all(hogs.map((hog) => hog.terminate()));
    }
  },
  ...Object.fromEntries(
    Object.entries(MUTATED).map(([name, code]) => [name, () => node(["test/mutation/run.ts", ...code])]),
  ),
};

await main(async () => {
  await bootstrap(import.meta.url);
  const given = process.argv.slice(2);
  const records = given.includes("--record");
  const names = namesOf(
    PARTS,
    "part",
    given.filter((argument) => argument !== "--record"),
  );
  const failed = [];
  for (const [name, part] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n── ${name}`);
    const start = performance.now();
    const passed = (await part()) === 0;
    if (!passed) failed.push(name);
    if (records) await record(name, passed, (performance.now() - start) / 60_000);
  }
  console.log(failed.length === 0 ? "\nall passed" : `\nfailed: ${failed.join(", ")}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
});

/**
 * Writes the row of a part into docs/evidence/long-runs.md.
 *
 * @param {string} part
 * @param {boolean} passed
 * @param {number} minutes
 */
async function record(part, passed, minutes) {
  const file = join(root, "docs", "evidence", "long-runs.md");
  const { output } = await run("git", ["rev-parse", "--short=8", "HEAD"], { cwd: root, quiet: true });
  const row = {
    part,
    date: new Date().toISOString().slice(0, 10),
    commit: output.trim(),
    result: passed ? "passed" : "**failed**",
    time: `${minutes.toFixed(1)} min`,
  };
  const page = existsSync(file) ? readFileSync(file, "utf8") : "";
  writeFileSync(file, withRuns(page, Object.keys(PARTS), [row]));
}

/**
 * The tests tagged `long`, which `npm test` leaves out of its Vitest stages.
 *
 * @param {Readonly<Record<string, readonly string[]>>} projects by stage
 * @returns {Record<string, () => Promise<number>>}
 */
function tagged(projects) {
  return Object.fromEntries(
    Object.entries(projects).map(([stage, names]) => [
      stage,
      () => tool("vitest", ["run", "--tags-filter=long", ...names.flatMap((name) => ["--project", name])]),
    ]),
  );
}

/**
 * Runs the tests of a project in test/fixtures.
 *
 * @param {string} name
 */
async function project(name) {
  await install(join(root, "test", "fixtures", name));
  return tool("vitest", ["run", "--config", "test/fixtures/project.config.ts"], { FIXTURE: name });
}

/** Builds the contents of the package: the modules and their types. */
async function build() {
  return (
    (await tool("vite", ["build", "--logLevel", "warn"])) ||
    (await tool("tsc", ["-p", "tsconfig.build.json"])) ||
    (await node(["tools/prune-types.mjs"]))
  );
}

/**
 * Tests the packed package in a new app.
 *
 * @param {string} script in test/package
 * @param {readonly string[]} args
 */
async function newApp(script, ...args) {
  return (await build()) || (await node([`test/package/${script}`, ...args]));
}

/**
 * @param {string} name a program of development, which also finds the others
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env] changes to its environment
 */
function tool(name, args, env) {
  const bin = join(root, "node_modules", ".bin");
  return node([programOf(root, name), ...args], {
    PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
    ...env,
  });
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} exit code
 */
async function node(args, env) {
  const { code, interrupted } = await run(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
  });
  if (interrupted) process.exit(code);
  return code;
}
