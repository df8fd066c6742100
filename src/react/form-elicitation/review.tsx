"use client";
import { type ReviewRow, reviewOf } from "../../contract/review.ts";
import type { Field } from "../../form/index.ts";
import { formatNumber } from "../../form/number-text.ts";
import { toDraft } from "../../form/validate.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { isolate } from "../isolate.ts";
import { icon } from "../prompt/icon.tsx";
import { isOver } from "../prompt/status-text.ts";
import { drawView, type PartRender } from "../view.ts";
import type { FormShared } from "./context.ts";
import { draftText } from "./field-words.ts";
import type { FieldState } from "./form-state.ts";

/** The limits of a value that is shown at once, in UTF-16 units and lines. */
const LONGEST_OPEN = 280;
const MOST_LINES = 6;
const LONGEST_PREVIEW = 90;
const LONGEST_BEFORE = 80;

/** The values that the user approves, as rows. `undefined` for other forms, and when they are no longer decided here. */
export function reviewRowsView({ elicitation, catalogue, folded }: FormShared): PartRender | undefined {
  const review = reviewOf(elicitation.request);
  if (review === undefined || review.rows.length === 0 || folded || isOver(elicitation)) return undefined;
  const children = review.rows.map((row, index) => (
    <div key={index}>
      <dt dir="auto">{row.label}</dt>
      <dd dir="auto">
        <Value row={row} catalogue={catalogue} />
      </dd>
    </div>
  ));
  return { tag: "dl", state: {}, props: { children } };
}

function Value({ row: { value, more }, catalogue }: { row: ReviewRow; catalogue: Catalogue }) {
  if (typeof value === "boolean") return <span>{value ? catalogue.yes : catalogue.no}</span>;
  const rest =
    more === undefined ? null : <small>{catalogue.approval.more(formatNumber(more, catalogue))}</small>;
  const isLong = value.length > LONGEST_OPEN || value.split("\n").length > MOST_LINES;
  if (!isLong) {
    return (
      <>
        <span>{value}</span>
        {rest}
      </>
    );
  }
  const [first = ""] = value.trim().split("\n");
  return (
    <details>
      <summary>
        <span>{`${first.slice(0, LONGEST_PREVIEW)}…`}</span>
      </summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard must reach it */}
      <p tabIndex={0}>
        <span>{value}</span>
        {rest}
      </p>
    </details>
  );
}

/** What a value of a review was before the user changed it. */
export function beforeView(
  field: Field,
  { draft = "" }: FieldState,
  { context, catalogue }: FormShared["questions"],
) {
  if (context?.["review"] === undefined || field.default === undefined) return undefined;
  const before = toDraft(field, field.default);
  if (String(draft) === String(before)) return undefined;
  const [first = ""] = draftText(field, before, catalogue).split("\n");
  const text = first.length > LONGEST_BEFORE ? `${first.slice(0, LONGEST_BEFORE)}…` : first;
  const children = (
    <>
      {icon("pencil")}
      <span>{catalogue.approval.was(isolate(text === "" ? catalogue.notSet : text))}</span>
    </>
  );
  return drawView({ tag: "p", state: {}, props: { children } }, "elicit-before");
}
