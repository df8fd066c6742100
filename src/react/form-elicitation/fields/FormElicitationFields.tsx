"use client";
import { type ForwardedRef, forwardRef, type ReactNode } from "react";
import type { Field } from "../../../form/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { isOver } from "../../prompt/status-text.ts";
import { useForm } from "../context.ts";

/** All questions of the form; `children` draws one. Renders a `<div>`, or nothing where none may be answered. */
export const FormElicitationFields = forwardRef(function FormElicitationFields(
  { children, ...props }: FormElicitationFieldsProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { elicitation, fields, refused } = useForm("FormElicitationParts.Fields");
  const hidden = isOver(elicitation) || elicitation.status === "blocked" || refused;
  const drawn = hidden ? undefined : { state: {}, props: { children: fields.map(children) } };
  return usePartElement("div", props, ref, drawn);
});

export type FormElicitationFieldsProps = Omit<PartProps<"div", FormElicitationFieldsState>, "children"> & {
  /** Draws one question. Give what it returns a `key` (the field's name). */
  children: (field: Field) => ReactNode;
};
export type FormElicitationFieldsState = object;
