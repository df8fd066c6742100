import type { ContentValue, ElicitationContent } from "../protocol/contract.ts";
import { checkValue } from "./check-value.ts";
import type { Draft, Drafts, Field, FieldError, FieldErrors } from "./field.ts";

/**
 * Decimal digits with at most one point, and an exponent: what HTML and JSON allow, and a leading plus. No two `\d` can
 * take the same digit, so that it is read once.
 */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * What the controls start with: the defaults, numbers as text. A field without default is absent: untouched. The result
 * has no prototype. Throws nothing.
 */
export function initialDrafts(fields: readonly Field[]): Drafts {
  const drafts: Record<string, Draft> = Object.create(null);
  for (const { name, default: value } of fields) {
    if (value !== undefined) drafts[name] = typeof value === "number" ? String(value) : value;
  }
  return drafts;
}

/**
 * The content of a form from what stands in its controls, or what is wrong with it, by field name.
 *
 * - What was never touched and has no default is left out, and so is a text or number that was cleared.
 * - A required field must be answered. An empty text is no answer, although JSON Schema would take `""`; a boolean
 *   needs its yes or no.
 * - A multi-choice that was emptied is the answer "none" where the schema allows that, else no answer.
 * - A number is read strictly: decimal digits, one point, an exponent. `1.0` is the integer 1.
 *
 * Neither result has a prototype, so that a field may be called `__proto__` or `constructor`. Throws nothing; a draft of
 * another kind than its field (a boolean for a text) is the error `type`.
 */
export function validate(
  fields: readonly Field[],
  drafts: Drafts,
): { ok: true; content: ElicitationContent } | { ok: false; errors: FieldErrors } {
  const content: Record<string, ContentValue> = Object.create(null);
  const errors: Record<string, FieldError> = Object.create(null);
  for (const field of fields) {
    const { name } = field;
    const draft = Object.hasOwn(drafts, name) ? drafts[name] : undefined;
    const value = readDraft(field, draft);
    const error = errorOf(field, value);
    if (error !== undefined) errors[name] = error;
    else if (value !== undefined) content[name] = value;
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, content };
}

/**
 * What is wrong with one control, for a check on blur: the error that `validate` would give, or nothing. Throws nothing.
 */
export function validateField(field: Field, draft: Draft | undefined): FieldError | undefined {
  return errorOf(field, readDraft(field, draft));
}

function errorOf(field: Field, value: ContentValue | undefined): FieldError | undefined {
  if (value !== undefined) return checkValue(field, value);
  return field.required ? { code: "required" } : undefined;
}

/** The value that a draft stands for; nothing when it is no answer. */
function readDraft(field: Field, draft: Draft | undefined): ContentValue | undefined {
  if (field.kind === "number" && typeof draft === "string") {
    const text = draft.trim();
    if (text === "") return undefined;
    return NUMBER.test(text) ? Number(text) : NaN;
  }
  const blank = typeof draft !== "boolean" && draft?.length === 0;
  return blank && (field.kind === "text" || checkValue(field, draft) !== undefined) ? undefined : draft;
}
