/**
 * How often a test that fails is tried again: once in CI, so that one race among thousands of tests does not turn the
 * run red. `npm test` names such tests as flaky at its end. On your own machine never.
 */
export const secondTries = process.env["CI"] === undefined ? 0 : 1;
