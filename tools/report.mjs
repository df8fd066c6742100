/**
 * What the test runners' JSON reports say, in numbers.
 *
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: readonly { status: string, assertionResults: readonly unknown[] }[] }} report of Vitest
 * @returns {Count}
 */
export function countVitest({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  // A file that cannot even be loaded has no tests to fail, so it counts as one.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: numPendingTests + numTodoTests,
  };
}

/**
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number },
 *   errors: readonly unknown[] }} report of Playwright
 * @returns {Count}
 */
export function countPlaywright({ stats, errors }) {
  return {
    passed: stats.expected,
    // What passes only when tried again has failed once too often. `errors` are those outside of any test, and one
    // cause makes several of them.
    failed: stats.unexpected + stats.flaky + (errors.length > 0 ? 1 : 0),
    skipped: stats.skipped,
  };
}

/**
 * @typedef {object} StageResult
 * @property {string} name
 * @property {number} seconds
 * @property {Count} count
 */

/**
 * The end of a run: a table of the stages, why it counts as failed if no test says so, and the last line.
 *
 * @param {readonly StageResult[]} stages
 * @returns {{ lines: string[], ok: boolean }}
 */
export function summarise(stages) {
  const total = { passed: 0, failed: 0, seconds: 0 };
  const rows = stages.map(({ name, seconds, count }) => {
    total.passed += count.passed;
    total.failed += count.failed;
    total.seconds += seconds;
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    return row(name, seconds, `${count.passed} passed, ${count.failed} failed${skipped}`);
  });
  const empty = stages.filter(({ count }) => count.passed + count.failed === 0);
  return {
    lines: [
      "",
      ...rows,
      row("all", total.seconds, ""),
      ...empty.map(({ name }) => `elicit-kit: stage ${name} ran no test, which counts as a failure.`),
      `${total.passed} passed, ${total.failed} failed`,
    ],
    ok: stages.length > 0 && total.failed === 0 && empty.length === 0,
  };
}

/**
 * @param {string} name
 * @param {number} seconds
 * @param {string} text
 */
function row(name, seconds, text) {
  return `${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s  ${text}`.trimEnd();
}
