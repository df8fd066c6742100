import { html } from "hono/html";
import type { Decision } from "../audit/decision.ts";
import type { Column } from "./document.ts";
import { countOf, shortDigest, timeOf } from "./format.ts";
import { type Names, surfaceOf } from "./naming.ts";

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
