"use client";
import { type ChangeEvent, type KeyboardEvent, useState } from "react";
import type { ControlProps } from "../context.ts";
import { readNumber, writeNumber } from "../../../form/number-text.ts";
import { isAboutComposition } from "../../prompt/keys.ts";
import { classes, inputProps } from "./input-props.ts";

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/**
 * A number in a text input, in the format of the catalogue's language. An integer in a small range has
 * two buttons, and changes with the arrow keys.
 */
export function NumberControl(props: ControlProps) {
  const { field, draft, onChange, layout, catalogue } = props;
  const [typed, setTyped] = useState({ text: "", draft });
  const number = field.kind === "number" ? field : undefined;
  const shown = typeof draft === "string" ? writeNumber(draft, catalogue) : "";
  const input = {
    ...inputProps(props),
    // Shows the typed text, not the number that was read from it.
    value: typed.draft === draft && typed.text !== "" ? typed.text : shown,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const text = event.currentTarget.value;
      const read = readNumber(text, catalogue);
      setTyped({ text, draft: read });
      onChange(read);
    },
  };
  if (layout !== "stepper") return <input {...input} />;

  const lowest = Math.ceil(number?.minimum ?? 0);
  const highest = Math.floor(number?.maximum ?? 0);
  const value = typeof draft === "string" && draft !== "" ? Number(draft) : Number.NaN;
  /** Without a number, a step sets the lowest one. A step never leaves the range. */
  const stepped = (by: number) =>
    Math.min(highest, Math.max(lowest, Number.isNaN(value) ? lowest : Math.trunc(value) + by));
  const step = (by: number): void => onChange(String(stepped(by)));
  const stepButton = (name: string, sign: string, by: number) => (
    // Not in the tab order, because the arrow keys in the input do the same.
    <button
      type="button"
      tabIndex={-1}
      aria-label={name}
      aria-disabled={stepped(by) === value || undefined}
      onClick={() => step(by)}
    >
      {sign}
    </button>
  );
  return (
    <div className={classes("elicit-stepper", props)}>
      {stepButton(catalogue.decrease, "−", -1)}
      <input
        {...input}
        className="elicit-input"
        role="spinbutton"
        aria-valuemin={lowest}
        aria-valuemax={highest}
        aria-valuenow={Number.isNaN(value) ? undefined : value}
        onKeyDown={(event: KeyboardEvent) => {
          const by = STEPS[event.key];
          if (by === undefined || isAboutComposition(event.nativeEvent)) return;
          event.preventDefault();
          step(by);
        }}
      />
      {stepButton(catalogue.increase, "+", 1)}
    </div>
  );
}
