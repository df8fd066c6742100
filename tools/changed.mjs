import { run } from "./child.mjs";
import { programOf } from "./program.mjs";

/** More test files than that take longer than a minute. */
const MANY = 60;

/**
 * What `npm test -- changed` runs: for the uncommitted files, or for those of the last commit when there are none.
 *
 * @typedef {object} Changed
 * @property {string} since the commit to compare with, as `vitest --changed` takes it
 * @property {readonly string[]} files changed paths
 * @property {readonly string[]} near folders to which the tests are limited, because too many import what changed; empty
 * for no limit
 */

/**
 * @param {string} root
 * @returns {Promise<Changed>}
 */
export async function findChanged(root) {
  const uncommitted = [
    ...(await lines(root, "git", ["diff", "--name-only", "HEAD"])),
    ...(await lines(root, "git", ["ls-files", "--others", "--exclude-standard"])),
  ];
  const since = uncommitted.length > 0 ? "HEAD" : "HEAD~1";
  const files =
    uncommitted.length > 0 ? uncommitted : await lines(root, "git", ["diff", "--name-only", since]);
  const related = await lines(root, process.execPath, [
    programOf(root, "vitest"),
    "list",
    `--changed=${since}`,
    "--filesOnly",
    "--project=node",
    "--project=dom",
  ]);
  return { since, files, near: nearTests(files, related.length) };
}

/**
 * The folders of the changed files, when more tests import these files than a minute is enough for.
 *
 * @param {readonly string[]} files
 * @param {number} related how many test files import them, also indirectly
 * @returns {string[]}
 */
export function nearTests(files, related) {
  if (related <= MANY) return [];
  return [...new Set(files.filter((file) => file.includes("/")).map((file) => file.replace(/[^/]+$/, "")))];
}

/**
 * @param {string} root
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<string[]>}
 */
async function lines(root, command, args) {
  const { output } = await run(command, args, { cwd: root, quiet: true });
  return output.split("\n").filter((line) => line !== "");
}
