import type { CaseResult, ConformanceLevel } from "./case.ts";

/** Formats a part of the table: with colours in a terminal, without colours elsewhere. */
export type Paint = (format: "green" | "red" | "yellow" | "dim" | "bold", text: string) => string;

/** Prints the results of cases: each result when it is known, and the counts at the end. */
export interface Report {
  head(): string;
  row(result: CaseResult): string;
  foot(results: readonly CaseResult[]): string;
}

const LABELS = { passed: "passed", failed: "FAILED", "not-checked": "not checked" } as const;
const LEVELS = {
  basic: "Level basic: the stream, the header and the answer route. --level full checks the whole contract.",
  full: "Level full: the whole contract.",
} as const;
const COLOURS = { passed: "green", failed: "red", "not-checked": "yellow" } as const;
const LABEL_WIDTH = Math.max(...Object.values(LABELS).map(({ length }) => length));

/**
 * A table with one row for each case. Below a broken rule it prints the actual behaviour, or the hooks that the check
 * needs.
 */
export function tableReport(ids: readonly string[], level: ConformanceLevel, paint: Paint): Report {
  const idWidth = Math.max(...ids.map(({ length }) => length));
  const row = (label: string, id: string, rest: string) =>
    `${label.padEnd(LABEL_WIDTH)}  ${id.padEnd(idWidth)}  ${rest}\n`;

  return {
    head: () => `${LEVELS[level]}\n\n${paint("bold", row("result", "case", "rule"))}`,
    row(result) {
      const label = paint(COLOURS[result.status], LABELS[result.status].padEnd(LABEL_WIDTH));
      const line = `${label}  ${result.id.padEnd(idWidth)}  ${result.rule}\n`;
      return result.status === "passed" ? line : line + paint("dim", row("", "", `→ ${result.detail}`));
    },
    foot(results) {
      const { passed, failed, notChecked } = countsOf(results);
      return `\n${passed} passed, ${failed} failed, ${notChecked} not checked\n`;
    },
  };
}

/** One JSON object for programs: `{ api, level, passed, failed, notChecked, cases: CaseResult[] }`. */
export function jsonReport(api: string, level: ConformanceLevel): Report {
  return {
    head: () => "",
    row: () => "",
    foot: (results) =>
      `${JSON.stringify({ api, level, ...countsOf(results), cases: results }, undefined, 2)}\n`,
  };
}

function countsOf(results: readonly CaseResult[]) {
  const count = (status: CaseResult["status"]) => results.filter((result) => result.status === status).length;
  return { passed: count("passed"), failed: count("failed"), notChecked: count("not-checked") };
}
