"use client";
import type { ControlProps } from "../context.ts";
import { inputProps } from "./input-props.ts";

const TYPES = { email: "email", uri: "url", date: "date", "date-time": "text" } as const;
const AUTOCOMPLETE = { email: "email", uri: "url", date: undefined, "date-time": undefined } as const;

/** One line of text; also email, web address and date, with the browser's own keyboards and pickers. */
export function textControl(props: ControlProps) {
  const { field, secret } = props;
  const format = field.kind === "text" ? field.format : undefined;
  return (
    <input
      {...inputProps(props)}
      type={secret ? "password" : format === undefined ? "text" : TYPES[format]}
      dir={format === "date" ? undefined : "auto"}
      autoComplete={secret ? "off" : format && AUTOCOMPLETE[format]}
      placeholder={field.placeholder}
    />
  );
}
