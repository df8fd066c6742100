"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { ElicitationMode } from "../../../contract/contract.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";
import { isOver, titleText } from "../status-text.ts";

/**
 * The heading of the card: what is connected, or the title of the form. Takes the focus when the card appears. Renders an
 * `<h3>`.
 */
export const PromptTitle = /* @__PURE__ */ forwardRef(function PromptTitle(
  props: PromptTitleProps,
  ref: ForwardedRef<HTMLHeadingElement>,
) {
  return usePartElement(props, ref, titleView(usePrompt("Title")));
});

export function titleView({
  elicitation,
  catalogue,
  titleRef,
  messageId,
}: PromptShared): PartRender<PromptTitleState> {
  const { mode } = elicitation.request;
  const children = titleText(elicitation, catalogue);
  // A receipt stands without the message.
  const describedBy = isOver(elicitation) ? undefined : messageId;
  return {
    tag: "h3",
    ref: titleRef,
    state: { mode },
    props: { tabIndex: -1, "aria-describedby": describedBy, children },
  };
}

export type PromptTitleProps = PartProps<"h3", PromptTitleState>;
export interface PromptTitleState {
  /** `data-mode`: `url` or `form`. */
  mode: ElicitationMode;
}
