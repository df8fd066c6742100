import type { ElicitationRequest } from "./contract.ts";
import { isObject } from "./json.ts";
import { isThirdParty } from "./claimed-name.ts";

/** One value of a review. A client shows a boolean as yes or no. */
export interface ReviewRow {
  readonly label: string;
  readonly value: string | boolean;
  /** How many characters at the end of the value are left out. */
  readonly more?: number | undefined;
}

/** What the user reads before they approve it: `context.review` of a form. Its message says the same as text. */
export interface Review {
  /** What is approved: the title of a tool, or the subject of a draft. */
  readonly subject: string;
  readonly rows: readonly ReviewRow[];
}

/**
 * The review of a form. `undefined` for other requests, and for those of third parties, whose text never takes the place
 * of the message.
 */
export function reviewOf(
  request: Pick<ElicitationRequest, "mode" | "context" | "requester">,
): Review | undefined {
  const review = request.context?.["review"];
  if (request.mode !== "form" || isThirdParty(request) || !isObject(review)) return undefined;
  const { subject, rows } = review;
  return typeof subject === "string" && Array.isArray(rows) && rows.every(isRow)
    ? { subject, rows }
    : undefined;
}

function isRow(row: unknown): row is ReviewRow {
  if (!isObject(row) || typeof row["label"] !== "string") return false;
  const { value, more } = row;
  return (
    (typeof value === "string" || typeof value === "boolean") && (more === undefined || Number(more) > 0)
  );
}
