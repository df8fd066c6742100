import { type ElicitationRequest, type PagePurpose, purposeOf } from "../../contract/contract.ts";
import { isObject } from "../../contract/json.ts";
import { reviewOf } from "../../contract/review.ts";
import { isThirdParty } from "../../contract/claimed-name.ts";

/** The heading of a form, and its source in the request, so that it is not shown twice. */
export interface FormHeading {
  readonly text: string;
  readonly from: "title" | "message" | "question" | "review";
}

/** The limit in UTF-16 units: two lines of a card. */
const LONGEST = 80;
/** Question marks of other scripts. */
const IS_QUESTION = /[?？؟]$/;

/**
 * The first of these that the form has: what is approved, its own title, the label of its only yes-or-no question if that
 * label is a question, a short message. `undefined` for other requests, and for third parties, whose text is never a
 * heading.
 */
export function formHeadingOf(
  request: Pick<ElicitationRequest, "mode" | "message" | "requester" | "requestedSchema" | "context">,
): FormHeading | undefined {
  const { mode, message, requestedSchema } = request;
  if (mode !== "form" || isThirdParty(request)) return undefined;
  const review = reviewOf(request);
  if (review !== undefined) return { text: review.subject, from: "review" };
  const title = textOf(requestedSchema?.["title"]);
  if (title !== undefined) return { text: title, from: title === message.trim() ? "message" : "title" };
  const question = yesNoOf(requestedSchema?.properties);
  if (question !== undefined) return { text: question, from: "question" };
  const text = message.trim();
  const isShort = text !== "" && text.length <= LONGEST && !text.includes("\n");
  return isShort ? { text, from: "message" } : undefined;
}

/** The label of the only property, if it is a yes-or-no question. */
function yesNoOf(properties: unknown): string | undefined {
  const [only, ...others] = isObject(properties) ? Object.values(properties) : [];
  if (others.length > 0 || !isObject(only) || only["type"] !== "boolean") return undefined;
  const label = textOf(only["title"]);
  return label !== undefined && label.length <= LONGEST && IS_QUESTION.test(label) ? label : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The kind of a card, which decides its texts: a form, an approval, or the purpose of its page. */
export type CardKind = "form" | "approve" | PagePurpose;

export function cardKindOf(request: ElicitationRequest): CardKind {
  if (request.mode === "url") return purposeOf(request);
  return reviewOf(request) === undefined ? "form" : "approve";
}
