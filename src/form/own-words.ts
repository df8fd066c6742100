import { isObject } from "../contract/json.ts";
import type { Field } from "./field.ts";

/** The `anyOf` of a schema whose choice allows a free text answer: one of both properties must be present. */
export function choiceOrWords(choice: string, words: string): readonly { required: readonly [string] }[] {
  return [{ required: [choice] }, { required: [words] }];
}

/**
 * Pairs a choice with the free text that can replace it, if the schema's `anyOf` is that of `choiceOrWords`. Otherwise
 * returns the fields themselves.
 */
export function withOwnWords(fields: readonly Field[], anyOf: unknown): readonly Field[] {
  const names = Array.isArray(anyOf) && anyOf.length === 2 ? anyOf.map(onlyRequired) : [];
  const choice = fields.find((field) => field.kind === "choice" && field.name === names[0]);
  const words = fields.find(
    (field) => field.kind === "text" && field.format === undefined && field.name === names[1],
  );
  if (choice === undefined || words === undefined || choice.required || words.required) return fields;
  return fields.map((field) => {
    if (field === choice && field.kind === "choice") return { ...field, required: true, other: words.name };
    return field === words && field.kind === "text" ? { ...field, otherOf: choice.name } : field;
  });
}

/** The name in `{ required: [name] }`, if the schema has no other keyword. */
function onlyRequired(schema: unknown): string | undefined {
  if (!isObject(schema) || Object.keys(schema).length !== 1) return undefined;
  const required: unknown = Object.hasOwn(schema, "required") ? schema["required"] : undefined;
  const [name]: readonly unknown[] = Array.isArray(required) && required.length === 1 ? required : [];
  return typeof name === "string" ? name : undefined;
}

/** The name of the free text that can replace the field's options. */
export function otherOf(field: Field): string | undefined {
  return field.kind === "choice" ? field.other : undefined;
}

/** Whether the field is the free text of a choice, and is shown with it. */
export function isOwnWords(field: Field): boolean {
  return field.kind === "text" && field.otherOf !== undefined;
}
