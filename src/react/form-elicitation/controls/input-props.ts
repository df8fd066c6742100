import type { ChangeEvent } from "react";
import type { Field } from "../../../form/index.ts";
import type { ControlProps } from "../context.ts";

/**
 * For browsers that fill in what they know. Never the bare name: an input called `nodeName` or `submit` takes the place
 * of that property of its form, and React, losing its way, lets the browser send the form into the address.
 */
export const inputName = ({ name }: Field): string => `${name}.`;

/** What all inputs that hold text have in common. Text stays as typed; nothing is converted under the cursor. */
export function inputProps({ field, draft, onChange, onBlur, id, describedBy, invalid }: ControlProps) {
  return {
    className: "elicit-input",
    id,
    name: inputName(field),
    value: typeof draft === "string" ? draft : "",
    required: field.required,
    "aria-invalid": invalid || undefined,
    "aria-describedby": describedBy,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => {
      onChange(event.currentTarget.value);
    },
    onBlur,
  };
}
