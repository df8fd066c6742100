"use client";
import { type ForwardedRef, forwardRef, type ReactNode } from "react";
import type { Field } from "../../../form/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { isMissed, isOver } from "../../prompt/status-text.ts";
import { useForm } from "../context.ts";
import type { TypedText } from "../form-state.ts";

/**
 * All questions of the form; `children` draws one. Renders a `<div>`, or nothing where none may be answered. Of a request
 * that ended before it was answered it keeps what was typed, to be read and copied, as a `<dl>`.
 */
export const FormElicitationFields = forwardRef(function FormElicitationFields(
  { children, ...props }: FormElicitationFieldsProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { elicitation, fields, form, refused } = useForm("FormElicitationParts.Fields");
  const hidden = isOver(elicitation) || elicitation.status === "blocked" || refused;
  const typed = isMissed(elicitation) ? form.typed() : [];
  const drawn =
    typed.length > 0
      ? { tag: "dl" as const, state: {}, props: { children: typed.map(showTyped) } }
      : hidden
        ? undefined
        : { state: {}, props: { children: fields.map(children) } };
  return usePartElement("div", props, ref, drawn);
});

function showTyped({ name, label, text }: TypedText): ReactNode {
  return (
    <div key={name}>
      <dt dir="auto">{label}</dt>
      <dd dir="auto">{text}</dd>
    </div>
  );
}

export type FormElicitationFieldsProps = Omit<PartProps<"div", FormElicitationFieldsState>, "children"> & {
  /** Draws one question. Give what it returns a `key` (the field's name). */
  children: (field: Field) => ReactNode;
};
export type FormElicitationFieldsState = object;
