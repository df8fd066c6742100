/**
 * How often a failing test is retried: once in CI, so that one race among thousands of tests does not fail the run. `npm
 * test` lists such tests as flaky at its end. On your own machine tests are not retried.
 */
export const secondTries = process.env["CI"] === undefined ? 0 : 1;
