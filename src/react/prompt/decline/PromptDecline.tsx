"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonProps } from "../button-props.ts";
import { usePrompt } from "../context.ts";
import { isOver } from "../status-text.ts";

/** An explicit no. Renders a `<button>`, or nothing once the request has ended. */
export const PromptDecline = forwardRef(function PromptDecline(
  props: PromptDeclineProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  const { elicitation, messages } = usePrompt("Decline");
  const busy = elicitation.status === "submitting";
  const element = usePartElement("button", props, {
    ref,
    state: { busy },
    props: { ...buttonProps(busy, elicitation.decline), children: messages.decline },
  });
  return isOver(elicitation) ? null : element;
});

export type PromptDeclineProps = PartProps<"button", PromptDeclineState>;
export interface PromptDeclineState {
  /** `data-busy`: an answer is on its way. */
  busy: boolean;
}
