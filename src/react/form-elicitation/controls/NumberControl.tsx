"use client";
import type { ControlProps } from "../context.ts";
import { inputProps } from "./input-props.ts";

/**
 * A number as text: `<input type="number">` would throw away what is typed on the way to one (`1.`, `-`), and change it
 * under the mouse wheel.
 */
export function NumberControl(props: ControlProps) {
  const { field } = props;
  const number = field.kind === "number" ? field : undefined;
  // Number pads of phones have no minus.
  const unsigned = (number?.minimum ?? -1) >= 0;
  return (
    <input
      {...inputProps(props)}
      type="text"
      dir="auto"
      inputMode={unsigned ? (number?.integer === true ? "numeric" : "decimal") : "text"}
      autoComplete="off"
      placeholder={field.placeholder}
    />
  );
}
