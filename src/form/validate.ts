import type { ContentValue, ElicitationContent } from "../contract/contract.ts";
import { checkValue } from "./check-value.ts";
import type { Draft, Drafts, Field, FieldError, FieldErrors } from "./field.ts";
import { otherOf } from "./own-words.ts";
import { answerOf } from "./read-options.ts";

/**
 * A decimal number with an optional exponent: the syntax of HTML and JSON, plus a leading plus sign. No digit can match
 * two of the repeats, so matching takes linear time.
 */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The initial drafts of a form: the defaults, with numbers as text. A field without a default is absent. The result has
 * no prototype. Never throws.
 */
export function initialDrafts(fields: readonly Field[]): Drafts {
  const drafts: Record<string, Draft> = Object.create(null);
  for (const field of fields) {
    const { name, default: value } = field;
    if (value !== undefined) drafts[name] = toDraft(field, value);
  }
  return drafts;
}

/** A value of an answer as the control of its field has it. */
export function toDraft(field: Field, value: ContentValue): Draft {
  return field.kind === "choice" || typeof value === "number" ? String(value) : value;
}

/**
 * Reads drafts into the content of a form, or into errors by field name.
 *
 * - Leaves out a field that was never touched and has no default, and a text or number that was cleared.
 * - A required field must be answered. An empty text does not count, although JSON Schema would accept `""`. A boolean
 *   needs a yes or a no.
 * - An emptied multi-choice means "none" where the schema allows that. Otherwise it counts as unanswered.
 * - A choice with a free text needs one of both. The text takes precedence.
 * - A mail address or a link loses spaces around it, and is read into ASCII.
 * - Numbers are decimal: digits, at most one point, an optional exponent. `1.0` is the integer 1.
 *
 * The results have no prototype, so a field may be called `__proto__` or `constructor`. Never throws. A draft of the
 * wrong kind, such as a boolean for a text, gives the error `type`.
 */
export function validate(
  fields: readonly Field[],
  drafts: Drafts,
): { ok: true; content: ElicitationContent } | { ok: false; errors: FieldErrors } {
  const content: Record<string, ContentValue> = Object.create(null);
  let errors: Record<string, FieldError> | undefined;
  for (const field of fields) {
    const { name } = field;
    const value = readDraft(field, draftOf(drafts, name));
    const words = otherOf(field);
    // If the user has selected an option and then typed, the text counts, because not every control can clear an option.
    if (words !== undefined && isSaid(draftOf(drafts, words))) continue;
    const error = words !== undefined && value === undefined ? CHOOSE_OR_SAY : errorOf(field, value);
    if (error !== undefined) {
      errors ??= noErrors();
      errors[name] = error;
    } else if (value !== undefined) content[name] = value;
  }
  return errors === undefined ? { ok: true, content } : { ok: false, errors };
}

/** Checks one control, for example on blur. Returns the error that `validate` would give, or `undefined`. Never throws. */
export function validateField(field: Field, draft: Draft | undefined): FieldError | undefined {
  return errorOf(field, readDraft(field, draft));
}

const noErrors = (): Record<string, FieldError> => Object.create(null);

const CHOOSE_OR_SAY: FieldError = { code: "choose-or-say" };

function isSaid(words: Draft | undefined): boolean {
  return typeof words === "string" && words.trim() !== "";
}

function draftOf(drafts: Drafts, name: string): Draft | undefined {
  return Object.hasOwn(drafts, name) ? drafts[name] : undefined;
}

function errorOf(field: Field, value: ContentValue | undefined): FieldError | undefined {
  if (value !== undefined) return checkValue(field, value);
  // A single field cannot know whether its free text is filled in.
  return field.required && otherOf(field) === undefined ? { code: "required" } : undefined;
}

/** Returns the value of a draft, or `undefined` if it counts as unanswered. */
function readDraft(field: Field, given: Draft | undefined): ContentValue | undefined {
  const draft =
    field.kind === "text" && typeof given === "string" ? readTypedText(field.format, given) : given;
  if (field.kind === "number" && typeof draft === "string") {
    const text = draft.trim();
    if (text === "") return undefined;
    return NUMBER.test(text) ? Number(text) : NaN;
  }
  if (field.kind === "choice") {
    const chosen = field.options.find(({ value }) => value === draft);
    if (chosen !== undefined) return answerOf(chosen);
  }
  if (field.kind === "text" && field.otherOf !== undefined && !isSaid(draft)) return undefined;
  const blank = typeof draft !== "boolean" && draft?.length === 0;
  return blank && (field.kind === "text" || checkValue(field, draft) !== undefined) ? undefined : draft;
}

/** A host name, in any script. */
const HOST = /^[\p{L}\p{M}\p{N}.-]+$/u;
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/**
 * A text as its format wants it, from how users type and paste it: without spaces around it, and a link or the host of a
 * mail address in ASCII. Browsers do the same in their own controls for these formats. A text that cannot be read so is
 * returned as it is.
 */
function readTypedText(format: string | undefined, typed: string): string {
  if (format !== "email" && format !== "uri") return typed;
  const text = typed.trim();
  if (isAscii(text)) return text;
  if (format === "uri") return URL.canParse(text) ? new URL(text).href : text;
  const at = text.lastIndexOf("@") + 1;
  const host = text.slice(at);
  const url = `https://${host}`;
  return at > 0 && HOST.test(host) && URL.canParse(url) ? text.slice(0, at) + new URL(url).hostname : text;
}
