/**
 * The page of the last run of each part of `npm run test:long`.
 *
 * @typedef {object} LongRun
 * @property {string} part
 * @property {string} date as `2026-11-29`
 * @property {string} commit the first characters of its hash
 * @property {string} result
 * @property {string} time
 */

const HEAD = `# Runs that take long

What \`npm test\` leaves out for time, when each part ran last, and how it ended. \`npm run test:long -- <part> --record\` runs a part and writes its row; \`npm run test:long\` without names runs all of them.

| part | date | commit | result | time |
| --- | --- | --- | --- | --- |
`;

/**
 * The page with the rows of `runs` in place of older ones. Parts that no longer exist lose their row; a part without a
 * recorded run says so.
 *
 * @param {string} page
 * @param {readonly string[]} parts in the order of the page
 * @param {readonly LongRun[]} runs
 * @returns {string}
 */
export function withRuns(page, parts, runs) {
  /** @type {Map<string, string>} */
  const rows = new Map();
  for (const line of page.split("\n")) {
    const [, part] = /^\| `([\w-]+)` \|/.exec(line) ?? [];
    if (part !== undefined) rows.set(part, line);
  }
  for (const { part, date, commit, result, time } of runs)
    rows.set(part, `| \`${part}\` | ${date} | ${commit} | ${result} | ${time} |`);
  return (
    HEAD + parts.map((part) => `${rows.get(part) ?? `| \`${part}\` | – | – | not recorded | – |`}\n`).join("")
  );
}
