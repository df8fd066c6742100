/**
 * `node test/mutation/run.ts <files> <tests> [one in]`: changes each piece of the code once, and prints which changes no
 * test detects. Two globs, or several separated by spaces. A number tries only one mutant in so many, for tests of which
 * each takes a second. Exit code 0 if at least 85 % are detected.
 */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instrument } from "./instrument.ts";
import { hungIn, isInSample, killedIn, type LogLine, logsIn, note } from "./log.ts";

const root = join(import.meta.dirname, "..", "..");
const ENOUGH = 0.85;
const LOOK_EVERY_MS = 1_000;

const [files = "", tests = "", oneIn = "1"] = process.argv.slice(2);
const sources = globSync(files.split(" "), {
  cwd: root,
  exclude: ["**/*.test.ts", "**/*.test-d.ts"],
}).toSorted();
const { sources: instrumented, mutants: all } = await instrument(root, sources);
const mutants = all.filter(({ id }) => isInSample(id, oneIn));
const dir = mkdtempSync(join(tmpdir(), "elicit-kit-mutation-"));
writeFileSync(join(dir, "sources.json"), JSON.stringify(instrumented));

try {
  let left = globSync(tests.split(" "), { cwd: root, exclude: ["**/*.dom.test.ts"] }).toSorted();
  while (left.length > 0) left = await runTests(left);
  report();
} finally {
  rmSync(dir, { recursive: true });
}

/** Resolves with the test files that are not done: a worker hung, its mutant counts as detected, and it begins again. */
async function runTests(testFiles: readonly string[]): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [
      join(root, "node_modules", "vitest", "vitest.mjs"),
      "run",
      "--config=test/mutation/vitest.config.ts",
      "--tags-filter=!long",
    ],
    {
      cwd: root,
      env: { ...process.env, MUTATION_DIR: dir, MUTATION_TESTS: testFiles.join(" "), MUTATION_ONE_IN: oneIn },
      stdio: "ignore",
    },
  );
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let hung: LogLine[][] = [];
  const timer = setInterval(() => {
    hung = hungIn(dir, child.pid);
    if (hung.length > 0) child.kill("SIGKILL");
  }, LOOK_EVERY_MS);
  await ended;
  clearInterval(timer);
  if (hung.length === 0) return [];
  for (const log of hung) {
    const [last, begun] = [log.at(-1), log.findLast((line) => "file" in line)];
    if (last === undefined || begun === undefined) continue;
    if ("tried" in last) note(dir, "hung", { killed: last.tried });
    else {
      note(dir, "hung", { unusable: begun.file });
      note(dir, "hung", { done: begun.file });
    }
  }
  const done = new Set(
    logsIn(dir).flatMap((log) => log.flatMap((line) => ("done" in line ? [line.done] : []))),
  );
  return testFiles.filter((file) => !done.has(join(root, file)));
}

function report(): void {
  const log = logsIn(dir).flat();
  const reached = new Set(log.flatMap((line) => ("reached" in line ? line.reached : [])));
  const atLoad = new Set(log.flatMap((line) => ("atLoad" in line ? line.atLoad : [])));
  const killed = killedIn(dir);
  const unusable = new Set(log.flatMap((line) => ("unusable" in line ? [line.unusable] : [])));
  const counted = mutants.filter(({ id }) => reached.has(id) || !atLoad.has(id));
  const survivors = counted.filter(({ id }) => !killed.has(id));
  for (const { id, fileName, location, mutatorName, replacement } of survivors) {
    const place = `${fileName.slice(root.length + 1)}:${location.start.line + 1}:${location.start.column + 1}`;
    console.log(
      `${place} ${mutatorName}${reached.has(id) ? "" : " (no test reaches it)"}: ${replacement.replaceAll(/\s+/g, " ").slice(0, 120)}`,
    );
  }
  if (unusable.size > 0)
    console.log(
      `Tests that do not load, or fail without a mutant, here or after one:\n${[...unusable].join("\n")}`,
    );
  const score = (counted.length - survivors.length) / counted.length;
  console.log(
    `${counted.length} mutants, ${counted.length - survivors.length} detected, ${survivors.length} survived: ${(100 * score).toFixed(1)} %. ${mutants.length - counted.length} more are reached only when a module loads.`,
  );
  process.exitCode = score >= ENOUGH ? 0 : 1;
}
