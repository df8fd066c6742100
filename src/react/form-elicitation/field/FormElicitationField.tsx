"use client";
import { type ForwardedRef, forwardRef, useId, useState, useSyncExternalStore } from "react";
import type { Field } from "../../../form/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { FieldContext, type FieldShared, useForm } from "../context.ts";
import { fieldShared } from "../field-shared.tsx";
import { stateOf } from "../form-state.ts";
import type { ControlLayout } from "../pick-control.ts";

/** One question: groups its label, control, description and error. Renders a `<div>`. */
export const FormElicitationField = /* @__PURE__ */ forwardRef(function FormElicitationField(
  { field, ...props }: FormElicitationFieldProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { questions } = useForm("Field");
  const { subscribe, answers } = questions.form;
  const read = () => stateOf(answers(), field.name);
  const fieldState = useSyncExternalStore(subscribe, read, read);
  const [isReplaced, onReplaced] = useState(false);
  const built = fieldShared(field, fieldState, useId(), questions);
  const shared = { ...built, isReplaced: built.isReplaced || isReplaced, onReplaced };
  const element = usePartElement(props, ref, fieldView(shared));
  return <FieldContext.Provider value={shared}>{element}</FieldContext.Provider>;
});

export function fieldView({
  field,
  state,
  control,
  layout,
  half,
}: FieldShared): PartRender<FormElicitationFieldState> {
  return {
    tag: "div",
    state: { control, layout, size: half ? "half" : undefined, invalid: state.error !== undefined },
    props: { "data-field": field.name },
  };
}

export type FormElicitationFieldProps = PartProps<"div", FormElicitationFieldState> & { field: Field };
export interface FormElicitationFieldState {
  /** `data-control`: the name of its control; `custom` for a developer's own hint. */
  control: string;
  /** `data-layout`: how its control is laid out, where it has more than one way. */
  layout: ControlLayout | undefined;
  /** `data-size`: half a row is enough, beside a neighbour for which it is enough too. */
  size: "half" | undefined;
  /** `data-invalid`: an error is shown. */
  invalid: boolean;
}
