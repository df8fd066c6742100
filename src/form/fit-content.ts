import { type ContentValue, type ElicitationContent, MAX_ANSWER_BYTES } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { jsonBytes } from "../contract/json-bytes.ts";
import { checkValue } from "./check-value.ts";
import type { Field } from "./field.ts";
import { otherOf } from "./own-words.ts";
import { findSecretFields } from "./secrets.ts";

/**
 * Returns the valid part of a proposal for a form: the values of its fields that pass validation. A free text replaces
 * its choice. A form that asks for secrets gets no values, nor does a proposal that is longer than any
 * answer. Never throws. The content has no prototype.
 */
export function fitContent(
  { fields, message }: { fields: readonly Field[]; message: string },
  proposed: unknown,
): ElicitationContent {
  const fitting: Record<string, ContentValue> = Object.create(null);
  if (!isObject(proposed) || findSecretFields(fields, message).length > 0) return fitting;
  for (const field of fields) {
    const value = Object.hasOwn(proposed, field.name) ? proposed[field.name] : undefined;
    if (value !== "" && fits(field, value)) fitting[field.name] = value;
  }
  for (const field of fields) {
    const words = otherOf(field);
    if (words !== undefined && Object.hasOwn(fitting, words)) delete fitting[field.name];
  }
  // The user could not send it, and a browser shows a text of a megabyte only slowly.
  return jsonBytes(fitting) > MAX_ANSWER_BYTES ? Object.create(null) : fitting;
}

function fits(field: Field, value: unknown): value is ContentValue {
  return checkValue(field, value) === undefined;
}
