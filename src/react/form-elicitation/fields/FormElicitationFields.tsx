"use client";
import { type ForwardedRef, forwardRef, type ReactNode } from "react";
import type { Field } from "../../../form/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { isMissed, isOver } from "../../prompt/status-text.ts";
import type { PartRender } from "../../view.ts";
import { type FormShared, useForm } from "../context.ts";
import type { TypedText } from "../form-state.ts";

/**
 * All questions of the form; `children` renders one. Renders a `<div>`, or nothing when no question may be answered. Once
 * the request has ended it shows what was typed in a `<details>`, open when the request ended unanswered.
 */
export const FormElicitationFields = /* @__PURE__ */ forwardRef(function FormElicitationFields(
  { children, ...props }: FormElicitationFieldsProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  return usePartElement(props, ref, fieldsView(useForm("Fields"), children));
});

export function fieldsView(
  { elicitation, catalogue, questions, refused }: FormShared,
  draw: (field: Field, index: number) => ReactNode,
): PartRender | undefined {
  const over = isOver(elicitation);
  // On a dismissal the person discarded it.
  const typed = over && elicitation.status !== "cancelled" ? questions.form.typed() : [];
  if (typed.length > 0) {
    const children = (
      <>
        <summary>{catalogue.typed}</summary>
        <dl>{typed.map(showTyped)}</dl>
      </>
    );
    return { tag: "details", state: {}, props: { open: isMissed(elicitation), children } };
  }
  if (over || refused || elicitation.status === "blocked") return undefined;
  return {
    tag: "div",
    state: {},
    props: { children: questions.fields.map((field, index) => draw(field, index)) },
  };
}

function showTyped({ name, label, text }: TypedText): ReactNode {
  return (
    <div key={name}>
      <dt dir="auto">{label}</dt>
      <dd dir="auto">{text}</dd>
    </div>
  );
}

export type FormElicitationFieldsProps = Omit<PartProps<"div", FormElicitationFieldsState>, "children"> & {
  /** Renders one question. Its element needs a `key`: the field's name. */
  children: (field: Field) => ReactNode;
};
export type FormElicitationFieldsState = object;
