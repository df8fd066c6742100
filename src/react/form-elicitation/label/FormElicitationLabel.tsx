"use client";
import { type ForwardedRef, forwardRef } from "react";
import { directionOf } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type FieldShared, useField } from "../context.ts";

/** Controls that consist of several elements; a `<label>` can point to one only. */
const GROUPS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "yes-no",
  "radio",
  "search",
  "rating",
  "checkboxes",
]);

/**
 * The question, marked as optional in a form where most answers are required. Renders a `<label>`, or a `<span>` for those
 * of the kit's controls that consist of several elements.
 */
export const FormElicitationLabel = /* @__PURE__ */ forwardRef(function FormElicitationLabel(
  props: FormElicitationLabelProps,
  ref: ForwardedRef<HTMLLabelElement>,
) {
  return usePartElement(props, ref, labelView(useField("Label")));
});

export function labelView({
  field: { label, required, default: initial },
  control,
  isReplaced,
  id,
  questions: { catalogue, marksOptional },
}: FieldShared): PartRender<FormElicitationLabelState> {
  const group = GROUPS.has(control) && !isReplaced;
  // One text node each: a long form has many labels, and each node takes time to create and to lay out.
  const marked = marksOptional && !required && control !== "checkbox" && initial === undefined;
  const children = marked ? (
    <>
      {`${label} `}
      <small>{`(${catalogue.optional})`}</small>
    </>
  ) : (
    label
  );
  return {
    tag: group ? "span" : "label",
    state: { required },
    props: {
      id: `${id}label`,
      htmlFor: group ? undefined : `${id}control`,
      dir: directionOf(label, catalogue.dir),
      children,
    },
  };
}

export type FormElicitationLabelProps = PartProps<"label", FormElicitationLabelState>;
export interface FormElicitationLabelState {
  /** `data-required`: the question must be answered. */
  required: boolean;
}
