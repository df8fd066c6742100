"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonProps } from "../button-props.ts";
import { usePrompt } from "../context.ts";
import { isOver } from "../status-text.ts";

/** Puts the request away without a decision, as Escape does. Renders a `<button>`, or nothing once it has ended. */
export const PromptDismiss = forwardRef(function PromptDismiss(
  props: PromptDismissProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  const { elicitation, messages } = usePrompt("Dismiss");
  const busy = elicitation.status === "submitting";
  const element = usePartElement("button", props, {
    ref,
    state: { busy },
    props: { ...buttonProps(busy, elicitation.cancel), children: messages.cancel },
  });
  return isOver(elicitation) ? null : element;
});

export type PromptDismissProps = PartProps<"button", PromptDismissState>;
export interface PromptDismissState {
  /** `data-busy`: an answer is on its way. */
  busy: boolean;
}
