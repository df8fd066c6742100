"use client";
import type { ControlProps } from "../context.ts";
import { OptionGroup } from "./OptionGroup.tsx";

/** Several of the options, sent in the order in which they are offered. */
export function checkboxesControl(props: ControlProps) {
  const { field, draft, onChange } = props;
  if (field.kind !== "multi-choice") return null;
  const { options } = field;
  const chosen = typeof draft === "object" ? draft : [];
  function pick(value: string, checked: boolean): void {
    const wanted = (candidate: string) => (candidate === value ? checked : chosen.includes(candidate));
    onChange(options.map((option) => option.value).filter(wanted));
  }
  return <OptionGroup {...props} type="checkbox" options={options} chosen={chosen} onPick={pick} />;
}
