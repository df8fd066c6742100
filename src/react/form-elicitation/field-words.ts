import type { Draft, Field } from "../../form/index.ts";
import { formatNumber } from "../../form/number-text.ts";
import { saidLimits } from "../../form/said-limits.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { limitText } from "../../words/cards/limit-words.ts";
import type { ControlName } from "../../form/pick-control.ts";

/** Help for the answer: the description, followed by how many options to select. Empty if there is neither. */
export function describe(field: Field, control: ControlName, catalogue: Catalogue): string {
  const count = field.kind === "multi-choice" && limitText(field, control, catalogue);
  return [field.description, count].filter(Boolean).join(" · ");
}

/** The limits of an answer, with the used part. Empty if there are none to show. */
export function limitsText(
  field: Field,
  control: ControlName,
  draft: Draft | undefined,
  catalogue: Catalogue,
): string {
  if (field.kind === "number") return limitText(field, control, catalogue);
  const { most } = saidLimits(field, control);
  if (most === undefined || typeof draft === "boolean") return "";
  // The characters of a text as users see them, not UTF-16 units.
  const used = catalogue.outOf(
    formatNumber([...(draft ?? "")].length, catalogue),
    formatNumber(most, catalogue),
  );
  return field.kind === "text" ? used : catalogue.chosen(used);
}

/** An answer as a receipt shows it: the labels of selected options, dates and numbers in the format of the language. */
export function answerText(field: Field, value: unknown, catalogue: Catalogue): string {
  if (field.kind === "boolean") return value === true ? catalogue.yes : catalogue.no;
  const values = [value].flat().map(String);
  if ("options" in field) {
    const labels = new Map(field.options.map((option) => [option.value, option.label]));
    return values.map((chosen) => labels.get(chosen)).join(", ");
  }
  if (typeof value === "number") return formatNumber(value, catalogue);
  const [text = ""] = values;
  const date = new Date(text);
  // The input may not be a date yet.
  const isDate = "format" in field && field.format?.startsWith("date") === true;
  if (!isDate || Number.isNaN(date.getTime())) return text;
  const time = field.format === "date" ? { timeZone: "UTC" } : ({ timeStyle: "short" } as const);
  return new Intl.DateTimeFormat(catalogue.locale, { dateStyle: "medium", ...time }).format(date);
}

/** The same for an answer as it was typed. */
export function draftText(field: Field, draft: Draft, catalogue: Catalogue): string {
  return answerText(field, field.kind === "number" ? Number(draft) : draft, catalogue);
}
