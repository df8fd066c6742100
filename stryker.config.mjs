/**
 * Mutation tests of what trust rests on; `npm run test:long` names the files and their tests. A mutant that survives is
 * a change that no test would notice.
 *
 * Each mutant is tested by a Vitest of its own: Stryker's runner for Vitest activates none under Vitest 5.
 */
export default {
  testRunner: "command",
  commandRunner: { command: "vitest run --config vitest.mutation.config.ts --bail 1" },
  ignorePatterns: ["dist*", "coverage", "storybook-static", "docs/images", "demo", "stories"],
  // Stryker would read tsconfig.json through an interface that TypeScript 7 no longer has. Vitest needs no such file.
  tsconfigFile: "none",
  thresholds: { high: 95, low: 85, break: 85 },
  reporters: ["clear-text", "progress-append-only"],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  tempDirName: ".stryker-tmp",
  concurrency: 2,
  // The limit for endless loops. It must be longer than a run on a busy machine.
  timeoutMS: 60_000,
};
