"use client";
import type { ControlProps } from "../context.ts";
import { OptionGroup } from "./OptionGroup.tsx";

/** Yes or no as radio buttons: both are answers, and neither is chosen at first. */
export function yesNoControl(props: ControlProps) {
  const { draft, onChange, catalogue } = props;
  return (
    <OptionGroup
      {...props}
      type="radio"
      options={[
        { value: "yes", label: catalogue.yes },
        { value: "no", label: catalogue.no },
      ]}
      chosen={typeof draft === "boolean" ? [draft ? "yes" : "no"] : []}
      onPick={(value) => onChange(value === "yes")}
    />
  );
}
