import type { Field } from "../../form/index.ts";
import type { FieldError } from "../../form/field.ts";
import { formatNumber } from "../../form/number-text.ts";
import { saidLimits } from "../../form/said-limits.ts";
import type { ControlName } from "../../form/pick-control.ts";
import type { Catalogue } from "./catalogue.ts";

/** The range of a number, or how many options to select. Empty if there is nothing to tell. */
export function limitText(field: Field, control: ControlName, catalogue: Catalogue): string {
  const { least, most } = saidLimits(field, control);
  if (field.kind === "multi-choice") return (least ?? most) === undefined ? "" : catalogue.count(least, most);
  if (field.kind !== "number") return "";
  const low = least === undefined ? undefined : formatNumber(least, catalogue);
  const high = most === undefined ? undefined : formatNumber(most, catalogue);
  const { excludesMinimum, excludesMaximum } = field;
  if (!excludesMinimum && !excludesMaximum) {
    return (low ?? high) === undefined ? "" : catalogue.range(low, high);
  }
  const from = low && (excludesMinimum ? catalogue.moreThan(low) : catalogue.range(low, undefined));
  const to = high && (excludesMaximum ? catalogue.lessThan(high) : catalogue.range(undefined, high));
  return [from, to].filter(Boolean).join(" · ");
}

/** How long a text may be, for a place that cannot count while the user types. Empty if there is nothing to tell. */
export function lengthText(field: Field, control: ControlName, catalogue: Catalogue): string {
  const { most } = saidLimits(field, control);
  if (field.kind !== "text" || most === undefined) return "";
  return catalogue.errors["too-long"](formatNumber(most, catalogue));
}

/** An error that was found here, or by a server, whose code may be unknown to this version. */
export type AnyFieldError =
  | FieldError
  | { readonly code: string; readonly message: string; readonly limit?: number | undefined };

/** The text for an error: the catalogue's, or the server's if the catalogue does not know its code. */
export function errorText(error: AnyFieldError, field: Field, catalogue: Catalogue): string {
  // Servers send the rule that was broken, without its limit.
  const limit = error.limit ?? limitOf(error.code, field);
  const sentence = isKnown(error.code, catalogue) ? catalogue.errors[error.code] : undefined;
  // A catalogue text that mentions the limit cannot be used if the limit is unknown.
  if (sentence !== undefined && (limit !== undefined || sentence.length === 0)) {
    return sentence(limit === undefined ? "" : formatNumber(limit, catalogue));
  }
  return "message" in error ? error.message : catalogue.errors.type("");
}

function isKnown(code: string, { errors }: Catalogue): code is FieldError["code"] {
  return Object.hasOwn(errors, code);
}

function limitOf(code: string, field: Field): number | undefined {
  switch (field.kind) {
    case "text":
      return code === "too-short" ? field.minLength : field.maxLength;
    case "number":
      if (code === "not-a-multiple") return field.multipleOf;
      return code === "too-small" || code === "not-above" ? field.minimum : field.maximum;
    case "multi-choice":
      return code === "too-few" ? field.minItems : field.maxItems;
    default:
      return undefined;
  }
}
