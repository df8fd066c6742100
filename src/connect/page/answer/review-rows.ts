import { html } from "hono/html";
import type { Review, ReviewRow } from "../../../contract/review.ts";
import type { Catalogue } from "../../../words/cards/catalogue.ts";
import type { Html } from "../layout/html.ts";

/** A longer value is folded. The limits in UTF-16 units. */
const LONGEST_OPEN = 280;
const LONGEST_PREVIEW = 90;

/** The values that the user approves. Long ones are folded, without a script. */
export function reviewRows({ rows }: Review, catalogue: Catalogue): Html | "" {
  if (rows.length === 0) return "";
  return html`<dl class="facts rows">
    ${rows.map(
      (row) =>
        html`<div>
          <dt dir="auto">${row.label}</dt>
          <dd dir="auto">${valueOf(row, catalogue)}</dd>
        </div>`,
    )}
  </dl>`;
}

function valueOf({ value, more }: ReviewRow, { yes, no, approval, locale }: Catalogue): Html | string {
  if (typeof value === "boolean") return value ? yes : no;
  const rest =
    more === undefined
      ? ""
      : html` <span class="hint">${approval.more(new Intl.NumberFormat(locale).format(more))}</span>`;
  if (value.length <= LONGEST_OPEN) return html`${value}${rest}`;
  return html`<details>
    <summary>${value.slice(0, LONGEST_PREVIEW).split("\n")[0]}…</summary>
    ${value}${rest}
  </details>`;
}
