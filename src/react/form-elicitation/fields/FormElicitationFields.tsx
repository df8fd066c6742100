"use client";
import { type ForwardedRef, forwardRef, type ReactNode } from "react";
import type { Field } from "../../../form/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { isMissed, isOver } from "../../prompt/status-text.ts";
import { useForm } from "../context.ts";
import type { TypedText } from "../form-state.ts";

/**
 * All questions of the form; `children` draws one. Renders a `<div>`, or nothing where none may be answered. Once the
 * request has ended it keeps what was typed, to be read and copied, in a `<details>` (open when nobody answered).
 */
export const FormElicitationFields = forwardRef(function FormElicitationFields(
  { children, ...props }: FormElicitationFieldsProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { elicitation, catalogue, fields, form, refused } = useForm("FormElicitationParts.Fields");
  const hidden = isOver(elicitation) || elicitation.status === "blocked" || refused;
  // What was dismissed was discarded.
  const typed = isOver(elicitation) && elicitation.status !== "cancelled" ? form.typed() : [];
  const receipt = (
    <>
      <summary>{catalogue.typed}</summary>
      <dl>{typed.map(showTyped)}</dl>
    </>
  );
  const view =
    typed.length > 0
      ? { tag: "details" as const, state: {}, props: { open: isMissed(elicitation), children: receipt } }
      : hidden
        ? undefined
        : { state: {}, props: { children: fields.map(children) } };
  return usePartElement("div", props, ref, view);
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
