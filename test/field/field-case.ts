import { test } from "vitest";

/** Where a case of the field comes from, and what the kit did when it was first tried. */
export interface FieldReport {
  /** The public reports, as `owner/repository#number`, as a CVE, or as an address. */
  readonly sources: readonly [string, ...string[]];
  /** What the kit did when the case was first tried on it. */
  readonly before: "failed" | "passed";
}

/**
 * A test of something that a public report says went wrong elsewhere. `npm run field` reads these calls, and writes
 * docs/evidence/field.md: write the arguments as literals.
 *
 * @param _report read from the source text only
 * @param title what users get, in the present tense
 */
export function fieldCase(_report: FieldReport, title: string, body: () => void | Promise<void>): void {
  test(title, body);
}
