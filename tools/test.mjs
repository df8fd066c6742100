/**
 * `npm test`: installs missing packages and runs every stage, even after a failure. `npm test -- unit e2e` runs the named
 * stages only. Two stages run only when named: `changed`, the tests near the uncommitted files, and `compat`. `npm run
 * test:long` runs the tests tagged `long`. The last line of the output is `N passed, N failed`; exit code 0 only when
 * nothing failed and every stage has run at least one test.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { bootstrap, install, main, namesOf, root, SetupError } from "./bootstrap.mjs";
import { findChanged } from "./changed.mjs";
import { run } from "./child.mjs";
import { ensureChromium } from "./install-chromium.mjs";
import { programOf } from "./program.mjs";
import { countPlaywright, countVitest, summarise } from "./report.mjs";

/** @typedef {import("./report.mjs").Count} Count */

/** @type {Readonly<Record<string, (report: string) => Promise<Count>>>} each receives a path for its report */
const STAGES = {
  types: () => atOnce(["tsc", "-p", "tsconfig.json"], ["tsc", "-p", "tools/tsconfig.json"]),
  lint: () =>
    atOnce(
      ["oxlint", "--type-aware", "--deny-warnings"],
      ["tools/modules.mjs"],
      ["tools/retired-names.mjs"],
      ["tools/words.mjs"],
      ["knip", "--no-progress"],
      ["oxfmt", "--check", "."],
    ),
  unit: (report) => vitest(["node", "dom"], report, { workersPerCore: 1.5 }),
  // Tests with other companies' servers and clients.
  interop: (report) => vitest(["interop"], report, { workersPerCore: 3 }),
  // These tests use their own server: see tools/postgres.mjs. The server and the test processes also need the cores.
  postgres: (report) => vitest(["postgres"], report, { workersPerCore: 2 }),
  browser: async (report) => {
    await ensureChromium();
    // Vitest would leave one core unused.
    return vitest(["browser", "stories"], report, { workersPerCore: 1 });
  },
  package: async (report) => {
    await ensureChromium();
    const built = await asOneTest(
      ["vite", "build", "--logLevel", "warn"],
      ["tsc", "-p", "tsconfig.build.json"],
      ["tools/prune-types.mjs"],
    );
    return built.failed > 0 ? built : vitest(["package"], report);
  },
  e2e: async (report) => {
    // test/e2e/build.ts builds what it runs.
    await ensureChromium();
    return playwright(report);
  },
  changed: async (report) => {
    const { since, files, near } = await findChanged(root);
    if (near.length > 0)
      console.log(`Much of the project imports what changed, so only the tests of ${near.join(", ")} run.`);
    const specs = files.filter((file) => file.endsWith(".spec.ts"));
    if (specs.length > 0) await ensureChromium();
    return sum([
      await asOneTest(["tsc", "-p", "tsconfig.json"]),
      await vitest(["node", "dom"], report, { workersPerCore: 1.5, changed: { since, near } }),
      ...(specs.length > 0 ? [await playwright(`${report}.e2e`, specs)] : []),
    ]);
  },
  compat: async (report) => {
    const sdks = ["ai-5", "ai-6"].map(fixture);
    for (const project of [...sdks, fixture("react-18")]) await install(project);
    await ensureChromium();
    return sum([
      await asOneTest(...sdks.map((sdk) => ["tsc", "-p", sdk])),
      await vitest([], report, { config: "test/fixtures/vitest.config.ts" }),
      await vitest(["react-18", "compiled"], `${report}.react`),
    ]);
  },
};

/** @param {string} name of a small project with older versions */
function fixture(name) {
  return join(root, "test", "fixtures", name);
}

/**
 * @param {readonly Count[]} counts
 * @returns {Count}
 */
function sum(counts) {
  const count = (/** @type {"passed" | "failed" | "skipped"} */ key) =>
    counts.reduce((total, of) => total + of[key], 0);
  return {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    failures: counts.flatMap(({ failures }) => failures),
  };
}

/** Stages that run only when they are named: part of the others, or long and seldom broken. */
const ON_REQUEST = new Set(["changed", "compat"]);

await main(async () => {
  await bootstrap(import.meta.url);
  // Caches compiled code, because hundreds of Node.js processes load the same modules.
  process.env["NODE_COMPILE_CACHE"] ??= join(root, "node_modules", ".cache", "node");
  const names = namesOf(STAGES, "stage");
  const reports = mkdtempSync(join(tmpdir(), "elicit-kit-test-"));
  const results = [];
  for (const [name, stage] of Object.entries(STAGES)) {
    if (names.length > 0 ? !names.includes(name) : ON_REQUEST.has(name)) continue;
    console.log(`\n── ${name}`);
    const start = performance.now();
    const count = await stage(join(reports, `${name}.json`)).catch(setupFailure);
    const seconds = (performance.now() - start) / 1000;
    console.log(`── ${name}: ${count.failed === 0 ? "passed" : "failed"} after ${seconds.toFixed(1)} s`);
    results.push({ name, seconds, count });
  }
  rmSync(reports, { recursive: true, force: true });
  const { lines, ok } = summarise(results);
  console.log(lines.join("\n"));
  process.exitCode = ok ? 0 : 1;
});

/**
 * Reports an error before the tests of a stage (no browser, a failed build) as a failure of that stage. The other stages
 * still run.
 *
 * @param {unknown} error
 * @returns {Count}
 */
function setupFailure(error) {
  if (!(error instanceof SetupError)) throw error;
  return oneFailure(error.message);
}

/**
 * Runs all of several tools without tests, one after another, and counts them as one test.
 *
 * @param {readonly string[][]} commands
 * @returns {Promise<Count>}
 */
async function asOneTest(...commands) {
  const codes = [];
  for (const command of commands) codes.push(await tool(command));
  return oneTest(commands, codes);
}

/**
 * The same for tools that do not need each other. Most of them use one core.
 *
 * @param {readonly string[][]} commands
 * @returns {Promise<Count>}
 */
async function atOnce(...commands) {
  return oneTest(commands, await Promise.all(commands.map((command) => tool(command))));
}

/**
 * @param {readonly string[][]} commands
 * @param {readonly number[]} codes their exit codes
 * @returns {Count}
 */
function oneTest(commands, codes) {
  const failures = commands.filter((_, index) => codes[index] !== 0).map((command) => command.join(" "));
  return failures.length === 0
    ? { passed: 1, failed: 0, skipped: 0, failures }
    : oneFailure(failures.join(", "));
}

/**
 * @param {readonly string[]} projects empty for all
 * @param {string} report
 * @param {{ config?: string, workersPerCore?: number, changed?: { since: string, near: readonly string[] } }} [options]
 * more than one worker for tests that mostly wait for other programs
 */
async function vitest(projects, report, { config, workersPerCore, changed } = {}) {
  const workers =
    workersPerCore === undefined
      ? []
      : [`--maxWorkers=${Math.ceil(workersPerCore * availableParallelism())}`];
  const code = await tool([
    "vitest",
    "run",
    ...projects.flatMap((name) => ["--project", name]),
    ...workers,
    ...(changed === undefined ? [] : [`--changed=${changed.since}`, "--passWithNoTests", ...changed.near]),
    // The fixtures have no tags.
    ...(config === undefined ? ["--tags-filter=!long"] : [`--config=${config}`]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  return counted(report, countVitest, code);
}

/**
 * @param {string} report
 * @param {readonly string[]} [specs] all, if left out
 */
async function playwright(report, specs = []) {
  const code = await tool(["playwright", "test", ...specs, "--grep-invert=@long", "--reporter=line,json"], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  return counted(report, countPlaywright, code);
}

/**
 * @template Report
 * @param {string} path
 * @param {(report: Report) => Count} count
 * @param {number} code exit code of the runner, which is also nonzero for errors outside a test (an unhandled rejection)
 * @returns {Count}
 */
function counted(path, count, code) {
  /** @type {Report} */
  let report;
  try {
    report = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return oneFailure(`the test runner ended with exit code ${code} and wrote no report.`);
  }
  const result = count(report);
  if (code === 0 || result.failed > 0) return result;
  const why = `the test runner ended with exit code ${code}, though no test failed: see its output above.`;
  return sum([result, oneFailure(why)]);
}

/**
 * @param {string} why
 * @returns {Count}
 */
function oneFailure(why) {
  return { passed: 0, failed: 1, skipped: 0, failures: [why] };
}

/**
 * Runs a development tool under this Node.js, with its own output.
 *
 * @param {readonly string[]} command a program of development, or a script of ours, and its arguments
 * @param {NodeJS.ProcessEnv} [env] changes to its environment
 * @returns {Promise<number>} exit code
 */
async function tool([name = "", ...args], env) {
  const script = name.endsWith(".mjs") ? name : programOf(root, name);
  const { code, interrupted } = await run(process.execPath, [script, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  });
  if (interrupted) process.exit(code);
  return code;
}
