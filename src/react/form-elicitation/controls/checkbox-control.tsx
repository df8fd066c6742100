"use client";
import type { ControlProps } from "../context.ts";
import { inputName } from "./input-props.ts";

/** A boolean beside other questions. */
export function checkboxControl({ field, draft, onChange, onBlur, id, describedBy, invalid }: ControlProps) {
  return (
    <input
      className="elicit-check"
      type="checkbox"
      id={id}
      name={inputName(field)}
      checked={draft === true}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.currentTarget.checked)}
      onBlur={onBlur}
    />
  );
}
