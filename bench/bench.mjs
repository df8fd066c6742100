/**
 * `npm run bench`: installs missing packages, measures the kit and comparable packages, and writes bench/RESULTS.md (the
 * comparison, for readers) and bench/TARGETS.md (every figure with its target), with the machine and the date. All
 * packages are measured in the same run, because only ratios can be compared across machines. `npm run bench -- sizes
 * stream` measures only the named parts and writes no file, because readers could mistake a partial table for the whole.
 * The notes at the end of bench/TARGETS.md stay. Exit code 0 only when every figure meets its target.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { bootstrap, install, main, namesOf, root, SetupError } from "../tools/bootstrap.mjs";
import { run } from "../tools/child.mjs";
import { ensureChromium } from "../tools/install-chromium.mjs";

/**
 * `project`: the directory of packages that only this part uses. `browser`: whether it runs in Chromium.
 *
 * @typedef {{ title: string, command: readonly string[], project?: string, browser?: true }} Part
 * @typedef {import("./figures.ts").Figure} Figure
 */

/** @type {Readonly<Record<string, Part>>} */
const PARTS = {
  sizes: { title: "Sizes, answers and events", command: ["bench/run.ts"] },
  stream: { title: "The AI SDK's stream", command: ["bench/ai-sdk.ts"] },
  mount: { title: "Mount of forms in Chromium", command: ["bench/forms-mount.ts"], browser: true },
  connect: {
    title: "From a click on Connect to the hosted page",
    command: ["bench/connect.ts"],
    browser: true,
  },
  answer: {
    title: "From a click on Send to the next token",
    command: ["bench/answer.ts"],
    project: "bench/answer/peers",
    browser: true,
  },
  relay: { title: "Calls of MCP tools through the relay", command: ["bench/relay.ts"] },
  durable: {
    title: "Turns of several processes on PostgreSQL",
    command: ["--expose-gc", "bench/durable.ts"],
  },
  parking: { title: "Turns parked in PostgreSQL", command: ["--expose-gc", "bench/parking.ts"] },
  commits: { title: "Transactions of a durable turn, with fsync on", command: ["bench/turn-commits.ts"] },
  parked: { title: "Turns parked by MCP clients", command: ["--expose-gc", "bench/parked.ts"] },
  load: { title: "Turns that wait at once, over HTTP", command: ["--expose-gc", "bench/load.ts"] },
  sequential: { title: "One turn after another", command: ["--expose-gc", "bench/sequential.ts"] },
};

/** The heading of the notes: which targets are not met, and what was tried. */
const NOTES = "## Targets that are not met\n";

/** The sizes are in docs/start/package.md, and those of other packages in docs/evidence/sizes-of-others.md. */
const SIZE = /minified and gzipped$|growth of an app of|beside another package$/;
const SIZES =
  "Sizes are [in the docs](../docs/start/package.md#what-it-costs-a-page), and [those of peers](../docs/evidence/sizes-of-others.md). What we want to reach, and what we tried: [targets](TARGETS.md).\n";
const FOR_READERS = ["figure", "ours", "peer", "ratio"];

/** Not imported above: it is TypeScript, which the Node.js of a fresh clone may not run. */
const loadFigures = () => import("./figures.ts");

await main(async () => {
  await bootstrap(import.meta.url);
  const names = namesOf(PARTS, "part");
  await install(join(root, "bench"));
  const load = loadavg()[0] ?? 0;
  /** @type {Figure[]} */
  const figures = [];
  for (const [name, part] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n── ${part.title}`);
    if (part.browser) await ensureChromium();
    if (part.project !== undefined) await install(join(root, part.project));
    figures.push(...(await measure(part)));
  }
  const { isMet } = await loadFigures();
  if (!figures.every(isMet)) process.exitCode = 1;
  if (names.length > 0) return;
  const beside = figures.filter(({ figure, peer }) => peer !== undefined && !SIZE.test(figure));
  const results = [`# Figures\n\n${machine(load)}`, SIZES, await table(beside, FOR_READERS), commands()];
  writeFileSync(join(root, "bench", "RESULTS.md"), results.join("\n"));
  const targets = join(root, "bench", "TARGETS.md");
  const [, notes = ""] = readFileSync(targets, "utf8").split(NOTES);
  const all = [`# Targets\n\n${machine(load)}`, await table(figures)];
  writeFileSync(targets, `${all.join("\n")}\n${NOTES}${notes}`);
});

/**
 * @param {Part} part
 * @returns {Promise<Figure[]>}
 */
async function measure({ title, command }) {
  const folder = mkdtempSync(join(tmpdir(), "elicit-kit-bench-"));
  const figures = join(folder, "figures.json");
  try {
    const env = { ...process.env, FIGURES: figures };
    const { code, interrupted } = await run(process.execPath, command, { cwd: root, env });
    if (interrupted) process.exit(code);
    if (code !== 0) process.exitCode = 1;
    return JSON.parse(readFileSync(figures, "utf8"));
  } catch {
    throw new SetupError(
      `"${title}" measured nothing; its message is above. bench/RESULTS.md and bench/TARGETS.md are as they were.`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly Figure[]} figures
 * @param {readonly string[]} [wanted] columns; by default all
 */
async function table(figures, wanted) {
  const { COLUMNS, rowOf } = await loadFigures();
  const columns = wanted ?? COLUMNS;
  const rule = columns.map((column) => (/^(?:ours|ratio|target)$/.test(column) ? "---:" : "---"));
  const cells = figures.map((figure) => rowOf(figure).slice(0, columns.length));
  return [columns, rule, ...cells].map((row) => `| ${row.join(" | ")} |\n`).join("");
}

function commands() {
  const lines = Object.entries(PARTS).map(
    ([name, { title, command }]) => `- ${title}: \`npm run bench -- ${name}\` (\`${command.join(" ")}\`)\n`,
  );
  return `Part by part:\n\n${lines.join("")}`;
}

/** @param {number} load the load average before the run began */
function machine(load) {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cores.length} × ${cores[0]?.model.trim() ?? "unknown core"}, ${memory} GiB, Node.js ${process.versions.node}, ${process.platform} ${process.arch}. Load before the run: ${load.toFixed(1)} on ${cores.length} cores. Each peer was measured in the same run: ratios hold elsewhere, times do not.
`;
}
