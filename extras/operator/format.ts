/**
 * These functions format values for the page. It is in English and UTC, because it does not know the language or time
 * zone of the operator.
 */

import { html } from "hono/html";
import type { Decision } from "../audit/decision.ts";
import { type Column, stateOf } from "./document.ts";
import { type Names, surfaceOf } from "./naming.ts";
import type { Verification } from "../audit/verify.ts";
import type { Html } from "../../src/connect/page/layout/html.ts";
import { OUTCOME_ICONS } from "../../src/connect/page/layout/page-parts.ts";
import { type ElicitationRecord, outcomeOf } from "../../src/runtime/internal.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration: "38 s", "10 min", "3 h". */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 2 * MINUTE) return `${seconds} s`;
  if (seconds < 2 * HOUR) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < 2 * DAY) return `${Math.round(seconds / HOUR)} h`;
  return `${Math.round(seconds / DAY)} days`;
}

/** A time: "14:20:07" for today, "27 Nov 14:20" for another day. */
export function timeOf(ms: number, now: number): string {
  const [day = "", time = ""] = new Date(ms).toISOString().split("T");
  const [today] = new Date(now).toISOString().split("T");
  if (day === today) return time.slice(0, 8);
  const month = new Date(ms).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  return `${month} ${time.slice(0, 5)}`;
}

/** A number with thin spaces between thousands, and a plus if counting stopped there. */
export function countOf(count: number, most = Number.POSITIVE_INFINITY): string {
  const digits = String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, "\u2009");
  return count >= most ? `${digits}+` : digits;
}

/** The first characters of a digest, enough to compare two by eye. */
export function shortDigest(hex: string): string {
  return `${hex.slice(0, 4)}…${hex.slice(-4)}`;
}

export function medianOf(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The columns for rows of the decision log. `tool` adds a column for the tool, where rows of several tools are shown. */
export function decisionColumns(
  { now, names }: { readonly now: number; readonly names: Names },
  tool?: Column<Decision>,
): readonly Column<Decision>[] {
  return [
    { name: "Row", cell: ({ seq }) => countOf(seq) },
    { name: "At", cell: ({ at }) => timeOf(Date.parse(at), now) },
    ...(tool === undefined ? [] : [tool]),
    { name: "Event", cell: ({ event }) => event },
    { name: "By", cell: (row) => whoOf(row, names) },
    { name: "Through", cell: ({ through, surface }) => surfaceOf(through ?? surface ?? "–") },
    { name: "Row before", cell: ({ previous }) => html`<code>${shortDigest(previous)}</code>` },
  ];
}

/** Returns the user or operator of a row. The name of an operator is always shown: it does not count as content. */
function whoOf({ by, userId, through }: Decision, names: Names): string {
  if (by === undefined) return "nobody";
  return through === "operator" && by !== userId ? `operator ${by}` : names.user(by);
}

export function recordState(record: ElicitationRecord, now: number): Html {
  const outcome = outcomeOf(record) ?? (record.expiresAt <= now ? "expired" : undefined);
  if (outcome !== undefined) {
    const kind =
      outcome === "accepted" ? "good" : outcome === "expired" || outcome === "failed" ? "bad" : undefined;
    return stateOf(OUTCOME_ICONS[outcome], outcome, kind);
  }
  if (record.lastError !== undefined) return stateOf("alert", "attempt failed", "bad");
  return record.status === "consented" ? stateOf("link", "page opened") : stateOf("pause", "waits");
}

/** The result of verifying the end of the log. */
export function chainState(verification: Verification): Html {
  if (!verification.ok) return stateOf("alert", `row ${verification.seq}: ${verification.problem}`, "bad");
  const { first, seq, rows } = verification;
  if (rows === 0) return stateOf("check", "no rows yet");
  return stateOf("check", `verified from row ${countOf(first)} to ${countOf(seq)}`, "good");
}
