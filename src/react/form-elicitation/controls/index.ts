import type { ComponentType } from "react";
import type { ControlProps } from "../context.ts";
import type { ControlName } from "../pick-control.ts";
import { CheckboxControl } from "./CheckboxControl.tsx";
import { CheckboxesControl } from "./CheckboxesControl.tsx";
import { ChoiceControl } from "./ChoiceControl.tsx";
import { DateTimeControl } from "./DateTimeControl.tsx";
import { NumberControl } from "./NumberControl.tsx";
import { RatingControl } from "./RatingControl.tsx";
import { SelectControl } from "./SelectControl.tsx";
import { SliderControl } from "./SliderControl.tsx";
import { TextareaControl } from "./TextareaControl.tsx";
import { TextControl } from "./TextControl.tsx";
import { YesNoControl } from "./YesNoControl.tsx";

/** The kit's own controls, by name. */
export const builtInControls: Readonly<Record<ControlName, ComponentType<ControlProps>>> = {
  text: TextControl,
  textarea: TextareaControl,
  email: TextControl,
  url: TextControl,
  date: TextControl,
  "date-time": DateTimeControl,
  number: NumberControl,
  slider: SliderControl,
  rating: RatingControl,
  checkbox: CheckboxControl,
  "yes-no": YesNoControl,
  radio: ChoiceControl,
  select: SelectControl,
  search: ChoiceControl,
  checkboxes: CheckboxesControl,
};
