"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { Field } from "../../../form/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { FieldContext, type FieldShared, useForm } from "../context.ts";
import { useFieldState } from "../use-field-state.tsx";

/** One question: groups its label, control, description and error. Renders a `<div>`. */
export const FormElicitationField = /* @__PURE__ */ forwardRef(function FormElicitationField(
  { field, ...props }: FormElicitationFieldProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const shared = useFieldState(field, useForm("Field").questions);
  const element = usePartElement(props, ref, fieldView(shared));
  return <FieldContext.Provider value={shared}>{element}</FieldContext.Provider>;
});

export function fieldView({ field, view, control }: FieldShared): PartRender<FormElicitationFieldState> {
  return {
    tag: "div",
    state: { control, invalid: view.error !== undefined },
    props: { "data-field": field.name },
  };
}

export type FormElicitationFieldProps = PartProps<"div", FormElicitationFieldState> & { field: Field };
export interface FormElicitationFieldState {
  /** `data-control`: the name of its control; `custom` for a developer's own hint. */
  control: string;
  /** `data-invalid`: an error is shown. */
  invalid: boolean;
}
