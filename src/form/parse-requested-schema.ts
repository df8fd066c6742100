import { compileLinear } from "./linear-pattern.ts";
import { type ParsedSchema, parseSchema } from "./parse-schema.ts";

/**
 * The fields of a form from its `requestedSchema`, in the order of its properties, or each reason why it cannot be
 * shown. A schema without properties is a valid form of no fields: it asks for consent only.
 *
 * Reads the eight property kinds of MCP (revisions 2025-11-25 and 2026-07-28) with every keyword, and `enumLabels`,
 * `examples`, `pattern` and the descriptions of options. Unknown keywords are ignored, an unknown `format` is plain
 * text, a `default` that does not fit its own property is none. A property that lists its choices in another way than
 * the eight kinds do is never shown as free text: it is `unsupported-property`.
 *
 * Takes any JSON value and throws nothing. More than 200 properties, 256 KiB of JSON (in characters, without white space) or
 * 1,000 options of one property are refused before they are read (contract, section 1).
 *
 * @example
 * const form = parseRequestedSchema(request.requestedSchema);
 * if (form.ok) show(form.fields, initialDrafts(form.fields));
 */
export function parseRequestedSchema(schema: unknown): ParsedSchema {
  return parseSchema(schema, compileLinear);
}
