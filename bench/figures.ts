/** The shape of every measurement, so that `npm run bench` can put all of them into one table. */
import { writeFileSync } from "node:fs";

export interface Figure {
  /** The name of the measurement. */
  figure: string;
  unit: "KiB" | "MiB" | "ms" | "µs" | "/s" | "a turn";
  ours: number;
  /** The value of another package, measured in the same run. Without a peer, the target applies to `ours` itself. */
  peer?: { name: string; value: number } | undefined;
  /**
   * The maximum for `ours`: a multiple of the peer, or an absolute value without a peer. Without a target, the figure is
   * only reported.
   */
  target?: number | undefined;
}

export const COLUMNS = ["figure", "ours", "peer", "ratio", "target", "met"] as const;

/** The cells of a figure's row. */
export function rowOf({ figure, unit, ours, peer, target }: Figure): string[] {
  const measured = peer === undefined ? ours : ours / peer.value;
  const limit = peer === undefined ? `≤ ${target} ${unit}` : `≤ ${target} ×`;
  return [
    figure,
    `${rounded(ours)} ${unit}`,
    peer === undefined ? "–" : `${peer.name}: ${rounded(peer.value)} ${unit}`,
    peer === undefined ? "–" : measured.toFixed(2),
    target === undefined ? "–" : limit,
    target === undefined ? "–" : isMet({ figure, unit, ours, peer, target }) ? "yes" : "no",
  ];
}

/** Whether the figure meets its target. A figure without a target always does. */
export function isMet({ ours, peer, target = Number.POSITIVE_INFINITY }: Figure): boolean {
  return (peer === undefined ? ours : ours / peer.value) <= target;
}

/** Prints figures, and writes them to the file that `FIGURES` names, for `bench.mjs`. */
export function report(figures: readonly Figure[]): void {
  const rows = [[...COLUMNS], ...figures.map(rowOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  const file = process.env["FIGURES"];
  if (file !== undefined) writeFileSync(file, JSON.stringify(figures));
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function rounded(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}
