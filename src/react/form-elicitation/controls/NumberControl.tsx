"use client";
import { type ChangeEvent, useState } from "react";
import type { ControlProps } from "../context.ts";
import { readNumber, writeNumber } from "../read-number.ts";
import { inputProps } from "./input-props.ts";

/**
 * A number as text, in the signs of the language: `<input type="number">` would throw away what is typed on the way to one
 * (`1.`, `-`), and change it under the mouse wheel.
 */
export function NumberControl(props: ControlProps) {
  const { field, draft, onChange, catalogue } = props;
  const [typed, setTyped] = useState({ text: "", draft });
  const number = field.kind === "number" ? field : undefined;
  // Number pads of phones have no minus.
  const unsigned = (number?.minimum ?? -1) >= 0;
  const shown = typeof draft === "string" ? writeNumber(draft, catalogue) : "";
  return (
    <input
      {...inputProps(props)}
      // Text stays as typed, whatever is read in it.
      value={typed.draft === draft && typed.text !== "" ? typed.text : shown}
      type="text"
      dir="auto"
      inputMode={unsigned ? (number?.integer === true ? "numeric" : "decimal") : "text"}
      autoComplete="off"
      placeholder={field.placeholder}
      onChange={(event: ChangeEvent<HTMLInputElement>) => {
        const text = event.currentTarget.value;
        const read = readNumber(text, catalogue);
        setTyped({ text, draft: read });
        onChange(read);
      }}
    />
  );
}
