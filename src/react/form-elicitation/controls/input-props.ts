import type { ChangeEvent } from "react";
import type { Field } from "../../../form/index.ts";
import type { ControlProps } from "../context.ts";

/**
 * The `name` of an input, for the browser's autofill. Not the field's name itself: an input named `nodeName` or `submit`
 * replaces that property of its form, React then misses the submit event, and the browser puts the answers into the URL.
 */
export const inputName = ({ name }: Field): string => `${name}.`;

/** Props of all inputs that hold text. Text stays as typed: nothing is converted while the person types. */
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
