import type { CaseResult } from "./case.ts";

/** How a report marks what it prints: with colours where they show, without elsewhere. */
export type Paint = (format: "green" | "red" | "yellow" | "dim" | "bold", text: string) => string;

const LABELS = { passed: "passed", failed: "FAILED", "not-checked": "not checked" } as const;
const COLOURS = { passed: "green", failed: "red", "not-checked": "yellow" } as const;
const LABEL_WIDTH = Math.max(...Object.values(LABELS).map(({ length }) => length));

/** The lines of a table for the results of some cases, each as soon as it is known. */
export function reportTable(ids: readonly string[], paint: Paint) {
  const idWidth = Math.max(...ids.map(({ length }) => length));
  const row = (label: string, id: string, rest: string) =>
    `${label.padEnd(LABEL_WIDTH)}  ${id.padEnd(idWidth)}  ${rest}\n`;

  return {
    head: () => paint("bold", row("result", "case", "rule")),
    /** Says below the rule what came instead, or what is missing to check it. */
    row(result: CaseResult): string {
      const label = paint(COLOURS[result.status], LABELS[result.status].padEnd(LABEL_WIDTH));
      const line = `${label}  ${result.id.padEnd(idWidth)}  ${result.rule}\n`;
      return result.status === "passed" ? line : line + paint("dim", row("", "", `→ ${result.detail}`));
    },
    foot(results: readonly CaseResult[]): string {
      const count = (status: CaseResult["status"]) =>
        results.filter((result) => result.status === status).length;
      return `\n${count("passed")} passed, ${count("failed")} failed, ${count("not-checked")} not checked\n`;
    },
  };
}
