import { expectTypeOf } from "vitest";
import type { ContentError, ElicitationContent } from "../contract/contract.ts";
import {
  type Draft,
  type Drafts,
  type Field,
  findSecretFields,
  initialDrafts,
  parseRequestedSchema,
  validate,
} from "./index.ts";
import { checkContent } from "./check-content.ts";
import type { FieldError, FieldErrors, Option, SchemaReason } from "./field.ts";
import { validateField } from "./validate.ts";

// A schema, whatever its type, becomes either fields or reasons.
expectTypeOf(parseRequestedSchema).parameters.toEqualTypeOf<[schema: unknown]>();
const parsed = parseRequestedSchema({});
if (parsed.ok) {
  expectTypeOf(parsed.fields).toEqualTypeOf<readonly Field[]>();
  // @ts-expect-error: no reasons beside fields
  void parsed.reasons;
} else {
  expectTypeOf(parsed.reasons).toEqualTypeOf<readonly SchemaReason[]>();
}
// @ts-expect-error: no fields before `ok` was looked at
void parsed.fields;

// The keywords of a field depend on its `kind`.
declare const field: Field;
expectTypeOf(field.kind).toEqualTypeOf<"text" | "number" | "boolean" | "choice" | "multi-choice">();
expectTypeOf(field.name).toEqualTypeOf<string>();
if (field.kind === "text") {
  expectTypeOf(field.format).toEqualTypeOf<"email" | "uri" | "date" | "date-time" | undefined>();
  expectTypeOf(field.default).toEqualTypeOf<string | undefined>();
  // @ts-expect-error: text has no least value
  void field.minimum;
}
if (field.kind === "number") expectTypeOf(field.default).toEqualTypeOf<number | undefined>();
if (field.kind === "multi-choice") {
  expectTypeOf(field.options).toEqualTypeOf<readonly Option[]>();
  expectTypeOf(field.default).toEqualTypeOf<readonly string[] | undefined>();
}
if (field.kind === "boolean") {
  // @ts-expect-error: yes and no are not listed as options
  void field.options;
}

// Fields and drafts are read-only.
declare const fields: readonly Field[];
const drafts = initialDrafts(fields);
expectTypeOf(drafts).toEqualTypeOf<Drafts>();
// @ts-expect-error: drafts are replaced, not written to
drafts["city"] = "Lisbon";
// @ts-expect-error: a number is typed as text
({ nights: 2 }) satisfies Drafts;
({ nights: "2", quiet: true, meals: ["lunch"] }) satisfies Drafts;

// The result is typed content, or errors by field name.
const validated = validate(fields, drafts);
if (validated.ok) expectTypeOf(validated.content).toEqualTypeOf<ElicitationContent>();
else expectTypeOf(validated.errors).toEqualTypeOf<FieldErrors>();
// @ts-expect-error: content comes only where nothing is wrong
void validated.content;
expectTypeOf(validateField).toEqualTypeOf<
  (field: Field, draft: Draft | undefined) => FieldError | undefined
>();

// The set of codes is closed, so that a catalogue can be checked for each code.
"too-short" satisfies FieldError["code"];
// @ts-expect-error: not a code
"wrong" satisfies FieldError["code"];
// @ts-expect-error: what is wrong with a field is not what is wrong with a schema
"too-short" satisfies SchemaReason["code"];

// A server checks received content, which may be absent.
expectTypeOf(checkContent).parameters.toEqualTypeOf<[schema: unknown, content?: unknown]>();
const checked = checkContent({}, {});
if (!checked.ok) expectTypeOf(checked.errors).toEqualTypeOf<readonly ContentError[]>();

expectTypeOf(findSecretFields).returns.toEqualTypeOf<readonly Field[]>();
// @ts-expect-error: it looks at fields, not at a schema
findSecretFields({ type: "object", properties: {} });
