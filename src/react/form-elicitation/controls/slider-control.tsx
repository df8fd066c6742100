"use client";
import type { ControlProps } from "../context.ts";
import { formatNumber } from "../field-words.ts";
import { inputProps } from "./input-props.ts";

/** A number between two limits. Until it is moved or pressed, nothing is set, and it says so. */
export function sliderControl(props: ControlProps) {
  const { field, draft, onChange, catalogue } = props;
  if (field.kind !== "number") return null;
  const { minimum = 0, maximum = 100, integer } = field;
  const set = typeof draft === "string" && draft !== "";
  const value = set ? Number(draft) : minimum;
  const text = set ? formatNumber(value, catalogue) : catalogue.notSet;
  return (
    <div className="elicit-slider" data-set={set ? "" : undefined}>
      <input
        {...inputProps(props)}
        type="range"
        min={minimum}
        max={maximum}
        step={integer ? 1 : "any"}
        value={value}
        aria-valuetext={text}
        // A press on the place where the thumb already stands is a choice too, but no change.
        onClick={(event) => onChange(event.currentTarget.value)}
      />
      <span aria-hidden="true">{text}</span>
    </div>
  );
}
