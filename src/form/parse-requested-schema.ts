import { compileLinear } from "./linear-pattern.ts";
import { type ParsedSchema, parseSchema } from "./parse-schema.ts";

/**
 * Reads a `requestedSchema` into the fields of a form, in the order of its properties, or into the reasons why it cannot
 * be shown. A schema without properties is valid: it has no fields and asks for consent only.
 *
 * Reads the eight property kinds of MCP (revisions 2025-11-25 and 2026-07-28) with every keyword, and `enumLabels`,
 * `examples`, `pattern`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`, choices of numbers, `const`, and the
 * descriptions of options. Reads `$ref`, `allOf` and nullable types where they mean one of the kinds. A form with another
 * keyword that narrows its answers is refused, with the name of the keyword. Keywords that accept every answer are
 * ignored, an unknown `format` is plain text, and a `default` that its own property does not allow is dropped. A property
 * that lists its choices in another way is an `unsupported-property`, and is never shown as free text.
 *
 * Takes any JSON value and never throws. Refuses more than 200 properties, 256 KiB of JSON (counted in characters,
 * without white space) or 1,000 options of one property before reading them (contract, section 1). A `pattern` is checked
 * only when it is proven to run in linear time, for the first 4,096 characters of patterns in a form; the server checks
 * the others.
 *
 * @example
 * const form = parseRequestedSchema(request.requestedSchema);
 * if (form.ok) show(form.fields, initialDrafts(form.fields));
 */
export function parseRequestedSchema(schema: unknown): ParsedSchema {
  return parseSchema(schema, compileLinear);
}
