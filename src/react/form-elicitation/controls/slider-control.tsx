"use client";
import type { ControlProps } from "../context.ts";
import { formatNumber } from "../field-words.ts";
import { classes, inputProps } from "./input-props.ts";

/** A number between two limits. It is unset, and says so, until it is moved or pressed. */
export function sliderControl(props: ControlProps) {
  const { field, draft, onChange, catalogue } = props;
  if (field.kind !== "number") return null;
  const { minimum = 0, maximum = 100, integer } = field;
  const set = typeof draft === "string" && draft !== "";
  const value = set ? Number(draft) : minimum;
  const text = set ? formatNumber(value, catalogue) : catalogue.notSet;
  return (
    <div className={classes("elicit-slider", props)} data-set={set ? "" : undefined}>
      <input
        {...inputProps({ ...props, className: undefined })}
        type="range"
        min={minimum}
        max={maximum}
        step={integer ? 1 : "any"}
        value={value}
        aria-valuetext={text}
        // Pressing where the thumb already is sets the value too, but fires no change event.
        onClick={(event) => onChange(event.currentTarget.value)}
      />
      <span aria-hidden="true">{text}</span>
    </div>
  );
}
