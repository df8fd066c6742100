import type { ContentError, ElicitationContent } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { checkValue } from "./check-value.ts";
import type { Field, FieldError } from "./field.ts";
import { otherOf } from "./own-words.ts";
import { parseRequestedSchema } from "./parse-requested-schema.ts";

/** The result of `checkContent`. */
export type CheckedContent =
  | { ok: true; content: ElicitationContent }
  | { ok: false; errors: readonly ContentError[] };

/**
 * Checks on a server whether received content is valid for a schema. It uses the rules of `validate`, but "required" has
 * the meaning of JSON Schema: the property is present, even as `""`. Absent content counts as empty.
 *
 * A field that was not asked for is refused (`unknown-field`), although JSON Schema would accept it. So a tool gets only
 * the fields that the user was asked for.
 *
 * Each error has the name of the field ("" for the whole content), a stable code and an English message. A schema that
 * cannot be shown gives its reasons as errors. The content has no prototype. Takes any JSON values, throws nothing.
 */
export function checkContent(schema: unknown, content?: unknown): CheckedContent {
  return createContentChecker(schema)(content);
}

/** Reads `schema` once and returns a function that checks any number of answers, as `checkContent` does. */
export function createContentChecker(schema: unknown): (content?: unknown) => CheckedContent {
  const parsed = parseRequestedSchema(schema);
  if (parsed.ok) return (content = {}) => checkFields(parsed.fields, content);
  const errors = parsed.reasons.map(({ property: field = "", ...reason }) => ({ field, ...reason }));
  return () => ({ ok: false, errors });
}

function checkFields(fields: readonly Field[], content: unknown): CheckedContent {
  if (!isObject(content)) return { ok: false, errors: [toContentError("", { code: "type" })] };
  const errors: ContentError[] = [];
  const unknown = new Set(Object.keys(content));
  for (const field of fields) {
    const { name } = field;
    const missing = missingError(field, content);
    const error = unknown.delete(name) ? checkValue(field, content[name]) : missing;
    if (error !== undefined) errors.push(toContentError(name, error));
  }
  for (const name of unknown) errors.push(toContentError(name, { code: "unknown-field" }));
  return isAnswer(content, errors)
    ? { ok: true, content: Object.assign(Object.create(null), content) }
    : { ok: false, errors };
}

function missingError(field: Field, content: Readonly<Record<string, unknown>>): FieldError | undefined {
  if (!field.required) return undefined;
  const words = otherOf(field);
  if (words === undefined) return { code: "required" };
  return Object.hasOwn(content, words) ? undefined : { code: "choose-or-say" };
}

/** Narrows the type: every property has been checked, so without errors each has a value that its field allows. */
function isAnswer(_content: unknown, errors: readonly ContentError[]): _content is ElicitationContent {
  return errors.length === 0;
}

function toContentError(field: string, { code, limit }: FieldError): ContentError {
  const words = code.replaceAll("-", " ");
  return { field, code, message: `does not fit: ${words}${limit === undefined ? "" : ` (limit ${limit})`}` };
}
