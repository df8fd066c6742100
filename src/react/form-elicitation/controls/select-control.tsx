"use client";
import type { ControlProps } from "../context.ts";
import { inputProps } from "./input-props.ts";

/** One of several options, in the browser's own list. */
export function selectControl(props: ControlProps) {
  const { field, draft, onChange, catalogue } = props;
  if (field.kind !== "choice") return null;
  const chosen = field.options.findIndex((option) => option.value === draft);
  return (
    <select
      {...inputProps(props)}
      // By index: an option may have the empty text as its value, which is not the same as no choice.
      value={chosen}
      onChange={(event) => onChange(field.options[Number(event.currentTarget.value)]?.value)}
    >
      <option value={-1} disabled={field.required}>
        {field.required ? catalogue.choose : catalogue.notSet}
      </option>
      {field.options.map((option, index) => (
        <option key={option.value} value={index}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
