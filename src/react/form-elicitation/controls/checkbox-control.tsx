"use client";
import type { ControlProps } from "../context.ts";
import { classes, inputName } from "./input-props.ts";

/** A boolean beside other questions. */
export function checkboxControl(props: ControlProps) {
  const { field, draft, onChange, onBlur, id, describedBy, invalid } = props;
  return (
    <input
      className={classes("elicit-check", props)}
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
