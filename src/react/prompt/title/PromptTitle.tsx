"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { ElicitationMode } from "../../../protocol/contract.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../context.ts";

/** The heading of the card, which takes the focus when the card appears. Renders an `<h3>`. */
export const PromptTitle = forwardRef(function PromptTitle(
  props: PromptTitleProps,
  ref: ForwardedRef<HTMLHeadingElement>,
) {
  const { elicitation, messages, titleRef, messageId } = usePrompt("Title");
  const { mode, context } = elicitation.request;
  return usePartElement("h3", props, {
    ref,
    partRef: titleRef,
    state: { mode },
    props: { tabIndex: -1, "aria-describedby": messageId, children: messages.title(mode, context?.trigger) },
  });
});

export type PromptTitleProps = PartProps<"h3", PromptTitleState>;
export interface PromptTitleState {
  /** `data-mode`: `url` or `form`. */
  mode: ElicitationMode;
}
