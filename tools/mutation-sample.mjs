import { createHash } from "node:crypto";

/** Lines of a window: as many as a small function has. */
const WINDOW = 16;

/**
 * Chooses windows of lines for mutation tests of modules that have too many mutants to test all. Every line of the files
 * is as likely, and the same seed chooses the same windows.
 *
 * @param {ReadonlyMap<string, string>} sources by file
 * @param {number} count
 * @param {string} seed
 * @returns {string[]} as Stryker takes them: `src/form/steps.ts:17-32`
 */
export function sampleOf(sources, count, seed) {
  const windows = [...sources].flatMap(([file, text]) => {
    const lines = text.split("\n").length - 1;
    return Array.from({ length: Math.ceil(lines / WINDOW) }, (_, index) => {
      const first = index * WINDOW + 1;
      return `${file}:${first}-${Math.min(first + WINDOW - 1, lines)}`;
    });
  });
  /** @param {string} window */
  const order = (window) => createHash("sha256").update(`${seed} ${window}`).digest("hex");
  return windows
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
    .slice(0, count)
    .toSorted();
}
