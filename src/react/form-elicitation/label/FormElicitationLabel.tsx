"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../../prompt/context.ts";
import { useField } from "../context.ts";

/** Controls of several elements: a `<label>` can point to one only. */
const GROUPS: ReadonlySet<string> = new Set(["yes-no", "radio", "search", "rating", "checkboxes"]);

/** The question, marked when it need not be answered. Renders a `<label>`; a `<span>` for groups of controls. */
export const FormElicitationLabel = forwardRef(function FormElicitationLabel(
  props: FormElicitationLabelProps,
  ref: ForwardedRef<HTMLLabelElement>,
) {
  const { messages } = usePrompt("FormElicitationParts.Label");
  const { field, control, controlId, labelId } = useField("Label");
  const group = GROUPS.has(control);
  return usePartElement(group ? "span" : "label", props, {
    ref,
    state: { required: field.required },
    props: {
      id: labelId,
      htmlFor: group ? undefined : controlId,
      dir: "auto",
      children: field.required ? (
        field.label
      ) : (
        <>
          {field.label} <small>({messages.optional})</small>
        </>
      ),
    },
  });
});

export type FormElicitationLabelProps = PartProps<"label", FormElicitationLabelState>;
export interface FormElicitationLabelState {
  /** `data-required` */
  required: boolean;
}
