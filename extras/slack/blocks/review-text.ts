import type { Review } from "../../../src/contract/review.ts";
import type { Catalogue } from "../../../src/words/cards/catalogue.ts";

/** The limit of a section, in characters. */
const LONGEST = 3000;

/** The values that the user approves, one in a line. */
export function reviewText({ rows }: Review, { yes, no, approval, locale }: Catalogue): string {
  const lines = rows.map(({ label, value, more }) => {
    const said = typeof value === "boolean" ? (value ? yes : no) : value;
    const rest = more === undefined ? "" : ` (${approval.more(more.toLocaleString(locale))})`;
    return `${label}:${said.includes("\n") ? "\n" : " "}${said}${rest}`;
  });
  return lines.join("\n");
}

/** Whether Slack can show all values. Otherwise the user approves on the hosted page. */
export function fitsSlack(review: Review, catalogue: Catalogue): boolean {
  return reviewText(review, catalogue).length <= LONGEST;
}
