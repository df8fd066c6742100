import { defineConfig } from "vitest/config";
import { patience } from "./test/patience.ts";
import { sourceAlias } from "./tools/source-alias.mjs";

const tests = process.env["MUTATION_TESTS"] ?? "src/{contract,form,client}/**/*.test.ts";

/** What Stryker runs against each mutant: the tests that `MUTATION_TESTS` names, with few random cases each. */
export default defineConfig({
  // Without it, a test that imports a public name would test the built package.
  resolve: { alias: sourceAlias },
  test: {
    ...patience,
    environment: "node",
    include: tests.split(" "),
    ...(tests.includes("postgres") && { globalSetup: "test/postgres.setup.ts" }),
    setupFiles: ["test/waits.setup.ts", "test/late-desk.setup.ts"],
    exclude: ["**/*.dom.test.ts"],
    reporters: ["dot"],
    env: { FC_RUNS: "50" },
    pool: "threads",
    isolate: false,
  },
});
