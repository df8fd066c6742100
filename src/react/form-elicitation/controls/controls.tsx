"use client";
import type { ReactNode } from "react";
import type { Option } from "../../../form/field.ts";
import type { ControlProps } from "../context.ts";
import { optionLine } from "../../../form/hints.ts";
import { formatNumber } from "../../../form/number-text.ts";
import type { ControlName } from "../../../form/pick-control.ts";
import { ratingSteps } from "../../../form/present-field.ts";
import { DateControl, DateTimeControl } from "./DateTimeControl.tsx";
import { classes, innerProps, inputName, inputProps } from "./input-props.ts";
import { NumberControl } from "./NumberControl.tsx";
import { OptionButtons, OptionGroup } from "./OptionGroup.tsx";

/** One line of text; also email and web address, with the browser's own keyboards. */
function lineControl(props: ControlProps) {
  return <input {...inputProps(props)} />;
}

/** Several lines of text. */
function textareaControl(props: ControlProps) {
  return <textarea {...inputProps(props)} rows={4} />;
}

/** One of several options, in the browser's own list. */
function selectControl(props: ControlProps) {
  const { field, draft, onChange, recommended, catalogue } = props;
  if (field.kind !== "choice") return null;
  const chosen = field.options.findIndex((option) => option.value === draft);
  return (
    <select
      {...inputProps(props)}
      // By index, because an option may have the empty text as its value, which differs from no choice.
      value={chosen}
      onChange={(event) => onChange(field.options[Number(event.currentTarget.value)]?.value)}
    >
      <option value={-1} disabled={field.required}>
        {field.required ? catalogue.choose : catalogue.notSet}
      </option>
      {field.options.map((option, index) => (
        <option key={option.value} value={index}>
          {optionLine(option, recommended)}
        </option>
      ))}
    </select>
  );
}

/** A boolean beside other questions. */
function checkboxControl(props: ControlProps) {
  const { field, draft, onChange, onBlur, id, describedBy, invalid } = props;
  return (
    <input
      className={classes("elicit-check", props)}
      type="checkbox"
      id={id}
      name={inputName(field)}
      checked={draft === true}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.currentTarget.checked)}
      onBlur={onBlur}
    />
  );
}

/** Yes or no as radio buttons. Both are answers, and neither is selected at first. */
function yesNoControl(props: ControlProps) {
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

function oneOf(props: ControlProps, options: readonly Option[]) {
  const chosen = typeof props.draft === "string" ? [props.draft] : [];
  return <OptionGroup {...props} type="radio" options={options} chosen={chosen} onPick={props.onChange} />;
}

/** One of several options as radio buttons, with a search when there are many. */
function choiceControl(props: ControlProps) {
  const { field } = props;
  return field.kind === "choice" ? oneOf(props, field.options) : null;
}

/** One of up to six options, as buttons that answer. */
function buttonsControl(props: ControlProps) {
  const { field } = props;
  return field.kind === "choice" ? <OptionButtons {...props} options={field.options} /> : null;
}

/** Several of the options, sent in the order in which they are offered. */
function checkboxesControl(props: ControlProps) {
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

/** An integer in a small range, with one radio button for each step. */
function ratingControl(props: ControlProps) {
  const { field, catalogue } = props;
  if (field.kind !== "number") return null;
  const options = ratingSteps(field).map((step) => ({
    value: String(step),
    label: formatNumber(step, catalogue),
  }));
  return oneOf(props, options);
}

/** A number between two limits. It is shown as unset until it is moved or pressed. */
function sliderControl(props: ControlProps) {
  const { field, draft, onChange, catalogue } = props;
  if (field.kind !== "number") return null;
  const { minimum = 0, maximum = 100, integer } = field;
  const set = typeof draft === "string" && draft !== "";
  const value = set ? Number(draft) : minimum;
  const text = set ? formatNumber(value, catalogue) : catalogue.notSet;
  return (
    <div className={classes("elicit-slider", props)} data-set={set ? "" : undefined}>
      <input
        {...innerProps(props)}
        type="range"
        min={minimum}
        max={maximum}
        step={integer ? 1 : "any"}
        value={value}
        aria-valuetext={text}
        // Pressing at the position of the thumb sets the value, too, but fires no change event.
        onClick={(event) => onChange(event.currentTarget.value)}
      />
      <span aria-hidden="true">{text}</span>
    </div>
  );
}

/** The built-in controls, by name. They are called as functions, without hooks, because a long form has many of them. */
export const builtInControls: Readonly<Record<ControlName, (props: ControlProps) => ReactNode>> = {
  text: lineControl,
  textarea: textareaControl,
  email: lineControl,
  url: lineControl,
  date: (props) => <DateControl {...props} />,
  "date-time": (props) => <DateTimeControl {...props} />,
  number: (props) => <NumberControl {...props} />,
  slider: sliderControl,
  rating: ratingControl,
  checkbox: checkboxControl,
  "yes-no": yesNoControl,
  radio: choiceControl,
  press: buttonsControl,
  select: selectControl,
  search: choiceControl,
  checkboxes: checkboxesControl,
};
