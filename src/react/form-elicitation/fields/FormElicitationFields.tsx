"use client";
import { type ForwardedRef, forwardRef, type ReactNode } from "react";
import type { Field } from "../../../form/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../../prompt/context.ts";
import { isOver } from "../../prompt/status-text.ts";
import { useForm } from "../context.ts";

/** All questions of the form; `children` draws one. Renders a `<div>`, or nothing where none may be answered. */
export const FormElicitationFields = forwardRef(function FormElicitationFields(
  { children, ...props }: FormElicitationFieldsProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { elicitation } = usePrompt("FormElicitationParts.Fields");
  const { fields, refused } = useForm("Fields");
  const element = usePartElement("div", props, {
    ref,
    state: {},
    props: { children: fields.map(children) },
  });
  return isOver(elicitation) || elicitation.status === "blocked" || refused ? null : element;
});

export type FormElicitationFieldsProps = Omit<PartProps<"div", FormElicitationFieldsState>, "children"> & {
  /** Draws one question. Give what it returns a `key` (the field's name). */
  children: (field: Field) => ReactNode;
};
export type FormElicitationFieldsState = object;
