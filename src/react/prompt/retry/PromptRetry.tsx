"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonProps } from "../button-props.ts";
import { usePrompt } from "../context.ts";

/** Sends an answer again that did not arrive. Renders a `<button>`, or nothing when there is no such answer. */
export const PromptRetry = forwardRef(function PromptRetry(
  props: PromptRetryProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  const { elicitation, messages } = usePrompt("Retry");
  const element = usePartElement("button", props, {
    ref,
    state: {},
    props: { ...buttonProps(false, elicitation.retry), children: messages.retry },
  });
  return elicitation.status === "undelivered" ? element : null;
});

export type PromptRetryProps = PartProps<"button", PromptRetryState>;
export type PromptRetryState = object;
