"use client";
import { type ForwardedRef, forwardRef, type ReactNode } from "react";
import type { Field } from "../../../form/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { isOver } from "../../prompt/status-text.ts";
import type { PartRender } from "../../view.ts";
import { type FormShared, useForm } from "../context.ts";

/**
 * All questions of the form; `children` renders one. Renders a `<div>`, or nothing when no question may be answered, or
 * while the answer is held for its round (`Submit` then brings the questions back).
 */
export const FormElicitationFields = /* @__PURE__ */ forwardRef(function FormElicitationFields(
  { children, ...props }: FormElicitationFieldsProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  return usePartElement(props, ref, fieldsView(useForm("Fields"), children));
});

export function fieldsView(
  { elicitation, questions, refused, folded }: FormShared,
  draw: (field: Field, index: number) => ReactNode,
): PartRender | undefined {
  if (isOver(elicitation) || refused || folded || elicitation.status === "blocked") return undefined;
  return {
    tag: "div",
    state: {},
    props: { children: questions.fields.map((field, index) => draw(field, index)) },
  };
}

export type FormElicitationFieldsProps = Omit<PartProps<"div", FormElicitationFieldsState>, "children"> & {
  /** Renders one question. Its element needs a `key`: the field's name. */
  children: (field: Field) => ReactNode;
};
export type FormElicitationFieldsState = object;
