"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { ElicitationMode } from "../../../protocol/contract.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";

/** The heading of the card, which takes the focus when the card appears. Renders an `<h3>`. */
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
  const { mode, context } = elicitation.request;
  const children = catalogue.title(mode, context?.trigger);
  return {
    tag: "h3",
    ref: titleRef,
    state: { mode },
    props: { tabIndex: -1, "aria-describedby": messageId, children },
  };
}

export type PromptTitleProps = PartProps<"h3", PromptTitleState>;
export interface PromptTitleState {
  /** `data-mode`: `url` or `form`. */
  mode: ElicitationMode;
}
