import type { ChangeEvent } from "react";
import type { ControlProps } from "../context.ts";

/** What all inputs that hold text have in common. Text stays as typed; nothing is converted under the cursor. */
export function inputProps({ field, draft, onChange, onBlur, id, describedBy, invalid }: ControlProps) {
  return {
    className: "elicit-input",
    id,
    name: field.name,
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
