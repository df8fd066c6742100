"use client";
import { type ForwardedRef, forwardRef, type MouseEvent } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { isRepeated } from "../../prompt/button-view.ts";
import { isOver } from "../../prompt/status-text.ts";
import type { PartRender } from "../../view.ts";
import { type FormShared, useForm } from "../context.ts";

function onClick(event: MouseEvent): void {
  if (isRepeated(event)) event.preventDefault();
}

/**
 * Checks and sends the answers; Enter in a field does the same. While an answer is held for its round, it brings the
 * questions back instead. Renders a `<button>`, or nothing once it has ended.
 */
export const FormElicitationSubmit = /* @__PURE__ */ forwardRef(function FormElicitationSubmit(
  props: FormElicitationSubmitProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, submitView(useForm("Submit")));
});

export function submitView({
  elicitation,
  catalogue,
  questions: { fields },
  refused,
  folded,
}: FormShared): PartRender<FormElicitationSubmitState> | undefined {
  const { status, answer } = elicitation;
  if (isOver(elicitation) || status === "blocked" || refused) return undefined;
  const busy = status === "submitting";
  const label = fields.length === 0 ? catalogue.confirm : catalogue.submit;
  const again = status === "undelivered" && answer.action === "accept";
  const children = busy
    ? catalogue.submitting
    : folded
      ? catalogue.changeAnswer
      : again
        ? catalogue.retry
        : label;
  const props = { type: "submit", "aria-disabled": busy || undefined, onClick, children };
  return { tag: "button", state: { busy, folded }, props };
}

export type FormElicitationSubmitProps = PartProps<"button", FormElicitationSubmitState>;
export interface FormElicitationSubmitState {
  /** `data-busy`: the answer is being sent. */
  busy: boolean;
  /** `data-folded`: it brings the questions back. */
  folded: boolean;
}
