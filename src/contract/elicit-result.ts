import type { ElicitationAction, ElicitationContent } from "./contract.ts";
import type { Parsed } from "./guard.ts";
import { isObject } from "./json.ts";

/** A client's answer to `elicitation/create`, in MCP and in ACP. */
export interface ElicitResult {
  readonly action: ElicitationAction;
  readonly content?: ElicitationContent;
}

/**
 * Reads the answer of a client, because the SDKs do not check it. This does not check whether the content fits its form.
 */
export function readElicitResult(result: unknown): Parsed<ElicitResult> {
  if (!isObject(result)) return unreadable("result: expected object");
  const { action, content } = result;
  if (action === "decline" || action === "cancel") return { ok: true, value: { action } };
  if (action !== "accept") return unreadable("result.action: expected accept|decline|cancel");
  // MCP's SDK v1 and ACP's SDK send `null` for absent content.
  if (content === undefined || content === null) return { ok: true, value: { action } };
  if (isElicitationContent(content)) return { ok: true, value: { action, content } };
  return unreadable("result.content: expected an object of texts, numbers, booleans and lists of texts");
}

export function isElicitationContent(value: unknown): value is ElicitationContent {
  return isObject(value) && Object.values(value).every(isContentValue);
}

function isContentValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((entry) => typeof entry === "string");
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function unreadable(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

/** The number of invalid answers after which a question ends as failed. */
export const MAX_ATTEMPTS = 3;

/** Tells the user that the last answer was not a valid MCP answer. */
export const UNREADABLE_NOTE = "The last answer could not be read.";

const MAX_ERRORS_SHOWN = 10;

/** Tells the user, beside the repeated question, what was wrong with the last answer. */
export function invalidNote(errors: readonly { readonly field: string; readonly message: string }[]): string {
  const reasons = errors
    .slice(0, MAX_ERRORS_SHOWN)
    .map(({ field, message }) => `${field || "The answer"} ${message}`);
  return `Please check: ${reasons.join("; ")}.`;
}

/** Tells the model why a question failed after its last attempt. `problem` describes the last answer. */
export function failedAnswers(problem: string): string {
  return `none of ${MAX_ATTEMPTS} answers was valid. The last problem: ${problem}`;
}
