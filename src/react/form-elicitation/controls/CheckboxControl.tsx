"use client";
import type { ControlProps } from "../context.ts";

/** Yes or no beside other questions. */
export function CheckboxControl({ field, draft, onChange, onBlur, id, describedBy, invalid }: ControlProps) {
  return (
    <input
      className="elicit-check"
      type="checkbox"
      id={id}
      name={field.name}
      checked={draft === true}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.currentTarget.checked)}
      onBlur={onBlur}
    />
  );
}
