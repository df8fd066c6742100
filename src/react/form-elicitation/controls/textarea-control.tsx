"use client";
import type { ControlProps } from "../context.ts";
import { inputProps } from "./input-props.ts";

/** Several lines of text. */
export function textareaControl(props: ControlProps) {
  return <textarea {...inputProps(props)} dir="auto" rows={4} placeholder={props.field.placeholder} />;
}
