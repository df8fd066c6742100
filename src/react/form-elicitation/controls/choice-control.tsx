"use client";
import type { ControlProps } from "../context.ts";
import { OptionGroup } from "./OptionGroup.tsx";

/** One of several options as radio buttons, with a search when there are many. */
export function choiceControl(props: ControlProps) {
  const { field, draft, onChange } = props;
  if (field.kind !== "choice") return null;
  const chosen = typeof draft === "string" ? [draft] : [];
  return <OptionGroup {...props} type="radio" options={field.options} chosen={chosen} onPick={onChange} />;
}
