import type { ChangeEvent } from "react";
import type { Field } from "../../../form/index.ts";
import type { ControlProps } from "../context.ts";

/**
 * The `name` of an input, for the browser's autofill. The field's own name is not used: an input named `nodeName` or
 * `submit` replaces that property of its form, so that React misses the submit event and the browser puts the answers
 * into the URL.
 */
export const inputName = ({ name }: Field): string => `${name}.`;

/** The classes of a control: the kit's and the developer's. */
export function classes(own: string, { className }: Pick<ControlProps, "className">): string {
  return className === undefined ? own : `${own} ${className}`;
}

/** The props of an input that is part of a control, and of another type than the others. */
export function innerProps(props: ControlProps) {
  return inputProps({ ...props, className: undefined, input: {} });
}

/** The props of all text inputs. Text stays as typed: it is not converted while the user types. */
export function inputProps(props: ControlProps) {
  const { field, draft, onChange, onBlur, id, describedBy, invalid, input } = props;
  return {
    ...input,
    className: classes("elicit-input", props),
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
