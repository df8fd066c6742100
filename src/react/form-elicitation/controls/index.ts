import { createElement, type ReactNode } from "react";
import type { ControlProps } from "../context.ts";
import type { ControlName } from "../pick-control.ts";
import { checkboxControl } from "./checkbox-control.tsx";
import { checkboxesControl } from "./checkboxes-control.tsx";
import { choiceControl } from "./choice-control.tsx";
import { DateTimeControl } from "./DateTimeControl.tsx";
import { NumberControl } from "./NumberControl.tsx";
import { ratingControl } from "./rating-control.tsx";
import { selectControl } from "./select-control.tsx";
import { sliderControl } from "./slider-control.tsx";
import { textareaControl } from "./textarea-control.tsx";
import { textControl } from "./text-control.tsx";
import { yesNoControl } from "./yes-no-control.tsx";

/** The built-in controls, by name. They are called as functions, without hooks: a long form has many of them. */
export const builtInControls: Readonly<Record<ControlName, (props: ControlProps) => ReactNode>> = {
  text: textControl,
  textarea: textareaControl,
  email: textControl,
  url: textControl,
  date: textControl,
  "date-time": (props) => createElement(DateTimeControl, props),
  number: (props) => createElement(NumberControl, props),
  slider: sliderControl,
  rating: ratingControl,
  checkbox: checkboxControl,
  "yes-no": yesNoControl,
  radio: choiceControl,
  select: selectControl,
  search: choiceControl,
  checkboxes: checkboxesControl,
};
