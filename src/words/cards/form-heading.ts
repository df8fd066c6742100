import type { ElicitationRequest } from "../../contract/contract.ts";
import { isObject } from "../../contract/json.ts";
import { isThirdParty } from "../../contract/third-party.ts";

/** What a form is called, and where that stands in the request, so that it is not said a second time. */
export interface FormHeading {
  readonly text: string;
  readonly from: "title" | "message" | "question";
}

/** UTF-16 units: two lines of a card. */
const LONGEST = 80;
/** Question marks of scripts that do not share the Latin one. */
const IS_QUESTION = /[?？؟]$/;

/**
 * The form's own title; else its only question, if that is a yes or no and its label asks it; else its message, if that is
 * short. `undefined` for other requests, and for those of third parties, whose words are never a heading.
 */
export function formHeadingOf(
  request: Pick<ElicitationRequest, "mode" | "message" | "requester" | "requestedSchema">,
): FormHeading | undefined {
  const { mode, message, requestedSchema } = request;
  if (mode !== "form" || isThirdParty(request)) return undefined;
  const title = textOf(requestedSchema?.["title"]);
  if (title !== undefined) return { text: title, from: title === message.trim() ? "message" : "title" };
  const question = yesNoOf(requestedSchema?.properties);
  if (question !== undefined) return { text: question, from: "question" };
  const text = message.trim();
  const isShort = text !== "" && text.length <= LONGEST && !text.includes("\n");
  return isShort ? { text, from: "message" } : undefined;
}

/** The label of the only property, if it is a question that is answered with yes or no. */
function yesNoOf(properties: unknown): string | undefined {
  const [only, ...others] = isObject(properties) ? Object.values(properties) : [];
  if (others.length > 0 || !isObject(only) || only["type"] !== "boolean") return undefined;
  const label = textOf(only["title"]);
  return label !== undefined && label.length <= LONGEST && IS_QUESTION.test(label) ? label : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
