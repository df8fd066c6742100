"use client";
import { type ChangeEvent, useState } from "react";
import type { ControlProps } from "../context.ts";
import { readNumber, writeNumber } from "../read-number.ts";
import { inputProps } from "./input-props.ts";

/**
 * A number in a text input, written as in the catalogue's language: `<input type="number">` drops what is not a number yet
 * (`1.`, `-`), and changes the value under the mouse wheel.
 */
export function NumberControl(props: ControlProps) {
  const { field, draft, onChange, catalogue } = props;
  const [typed, setTyped] = useState({ text: "", draft });
  const number = field.kind === "number" ? field : undefined;
  // Number pads of phones have no minus sign.
  const unsigned = (number?.minimum ?? -1) >= 0;
  const shown = typeof draft === "string" ? writeNumber(draft, catalogue) : "";
  return (
    <input
      {...inputProps(props)}
      // Shows the text as typed, not the number that was read from it.
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
