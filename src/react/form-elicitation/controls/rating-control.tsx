"use client";
import type { ControlProps } from "../context.ts";
import { formatNumber } from "../field-words.ts";
import { OptionGroup } from "./OptionGroup.tsx";

/** A whole number of a short range, as one radio button each. */
export function ratingControl(props: ControlProps) {
  const { field, draft, catalogue } = props;
  if (field.kind !== "number") return null;
  const { minimum = 1, maximum = 5 } = field;
  const first = Math.ceil(minimum);
  const options = Array.from({ length: Math.floor(maximum) - first + 1 }, (_, index) => ({
    value: String(first + index),
    label: formatNumber(first + index, catalogue),
  }));
  const chosen = typeof draft === "string" ? [draft] : [];
  return <OptionGroup {...props} type="radio" options={options} chosen={chosen} onPick={props.onChange} />;
}
