import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { sourceAlias } from "../../tools/source-alias.mjs";
import { patience } from "../patience.ts";
import { tags } from "../tags.ts";
import { SmallestFirst } from "./smallest-first.ts";

const { MUTATION_DIR = "", MUTATION_TESTS = "" } = process.env;
const sources: Record<string, string> = JSON.parse(readFileSync(join(MUTATION_DIR, "sources.json"), "utf8"));

/** Runs the tests that `MUTATION_TESTS` names on the sources that hold the mutants, with few random cases each. */
export default defineConfig({
  // Without it, a test that imports a public name would test the built package.
  resolve: { alias: sourceAlias },
  plugins: [{ name: "mutants", enforce: "pre", load: (id) => sources[id] }],
  test: {
    ...patience,
    root: join(import.meta.dirname, "..", ".."),
    environment: "node",
    tags,
    sequence: { sequencer: SmallestFirst },
    include: MUTATION_TESTS.split(" "),
    exclude: ["**/*.dom.test.ts"],
    ...(MUTATION_TESTS.includes("postgres") && { globalSetup: "test/postgres.setup.ts" }),
    setupFiles: ["test/waits.setup.ts", "test/late-desk.setup.ts"],
    reporters: ["dot"],
    silent: true,
    env: { FC_RUNS: "50" },
    runner: "test/mutation/runner.ts",
    pool: "threads",
    isolate: false,
    // The cache would return the file without its mutants.
    fsModuleCache: false,
    maxWorkers: 2,
    passWithNoTests: true,
  },
});
