"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../../prompt/context.ts";
import { useField } from "../context.ts";
import { errorText } from "../field-words.ts";

/** What is wrong with the answer. Renders a `<p>`, or nothing when nothing is (yet). */
export const FormElicitationError = forwardRef(function FormElicitationError(
  props: FormElicitationErrorProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  const { messages } = usePrompt("FormElicitationParts.Error");
  const { field, view, errorId } = useField("Error");
  const { error } = view;
  const element = usePartElement("p", props, {
    ref,
    state: { code: error?.code },
    props: { id: errorId, children: error && errorText(error, field, messages) },
  });
  return error === undefined ? null : element;
});

export type FormElicitationErrorProps = PartProps<"p", FormElicitationErrorState>;
export interface FormElicitationErrorState {
  /** `data-code`: see `FieldError` of `elicit-kit/form`. */
  code: string | undefined;
}
