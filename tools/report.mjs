import { stripVTControlCharacters } from "node:util";

/**
 * The counts of the test runners' JSON reports.
 *
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} failures the failed tests with the reason, one text each
 */

/** Enough lines to show the cause; the runner's output has the whole message. */
const MESSAGE_LINES = 14;

/**
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: readonly { name: string, status: string, message: string,
 *     assertionResults: readonly { fullName: string, status: string, failureMessages: readonly string[] }[] }[] }} report of Vitest
 * @returns {Count}
 */
export function countVitest({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  // A file that cannot be loaded contains no failed tests, so it counts as one.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: numPendingTests + numTodoTests,
    failures: [
      ...broken.map(({ name, message }) => failure(name, message)),
      ...testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === "failed")
          .map(({ fullName, failureMessages }) =>
            failure(`${name} › ${fullName}`, failureMessages.join("\n")),
          ),
      ),
    ],
  };
}

/**
 * @typedef {object} PlaywrightSuite
 * @property {readonly PlaywrightSuite[]} [suites]
 * @property {readonly { title: string, file: string, line: number, tests: readonly { status: string,
 *   results: readonly { errors: readonly { message?: string }[] }[] }[] }[]} specs
 */

/**
 * @param {{ stats: { expected: number, unexpected: number, skipped: number },
 *   suites: readonly PlaywrightSuite[], errors: readonly { message?: string }[] }} report of Playwright
 * @returns {Count}
 */
export function countPlaywright({ stats, suites, errors }) {
  return {
    passed: stats.expected,
    // `errors` are those outside of any test, and one cause produces several of them.
    failed: stats.unexpected + (errors.length > 0 ? 1 : 0),
    skipped: stats.skipped,
    failures: [
      ...errors.map(({ message }) => failure("outside of any test", message)),
      ...suites.flatMap(failuresOf),
    ],
  };
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
function failuresOf({ suites = [], specs }) {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected")
      .map(({ results }) =>
        failure(
          `${file}:${line} › ${title}`,
          results.flatMap(({ errors }) => errors.map(({ message }) => message)).join("\n"),
        ),
      ),
  );
  return [...own, ...suites.flatMap(failuresOf)];
}

/**
 * @param {string} name
 * @param {string} [message]
 */
function failure(name, message = "no message") {
  const lines = stripVTControlCharacters(message).split("\n").slice(0, MESSAGE_LINES);
  return [name, ...lines.map((line) => `  ${line}`)].join("\n");
}

/**
 * @typedef {object} StageResult
 * @property {string} name
 * @property {number} seconds
 * @property {Count} count
 */

/**
 * The summary of a run: failed tests with reasons, a table of the stages, a reason for failure other than a test, and the
 * last line. The end of a long log therefore shows where to look.
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
      ...stages.flatMap(({ name, count }) => count.failures.map((text) => `\nfailed in ${name}: ${text}`)),
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
