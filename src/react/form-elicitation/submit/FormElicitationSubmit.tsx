"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../../prompt/context.ts";
import { isOver } from "../../prompt/status-text.ts";
import { useForm } from "../context.ts";

/** Checks the answers and sends them; Enter in a field does the same. Renders a `<button>`, or nothing. */
export const FormElicitationSubmit = forwardRef(function FormElicitationSubmit(
  props: FormElicitationSubmitProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  const { elicitation, messages } = usePrompt("FormElicitationParts.Submit");
  const { fields, refused } = useForm("Submit");
  const { status } = elicitation;
  const busy = status === "submitting";
  const label = fields.length === 0 ? messages.confirm : messages.submit;
  const element = usePartElement("button", props, {
    ref,
    state: { busy },
    props: {
      type: "submit",
      "aria-disabled": busy || undefined,
      children: busy ? messages.submitting : status === "answered" ? messages.changeAnswer : label,
    },
  });
  return isOver(elicitation) || status === "blocked" || refused ? null : element;
});

export type FormElicitationSubmitProps = PartProps<"button", FormElicitationSubmitState>;
export interface FormElicitationSubmitState {
  /** `data-busy`: the answer is on its way. */
  busy: boolean;
}
