"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { ElicitationNotice } from "../../../client/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../context.ts";
import { isOver, noticeText } from "../status-text.ts";

/** What went wrong last, or that the answer is kept. Renders a `<p>`, or nothing when there is nothing to say. */
export const PromptNotice = forwardRef(function PromptNotice(
  props: PromptNoticeProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  const { elicitation, messages } = usePrompt("Notice");
  const text = isOver(elicitation) ? undefined : noticeText(elicitation, messages);
  const element = usePartElement("p", props, {
    ref,
    state: { notice: elicitation.status === "answered" ? "held" : elicitation.notice?.code },
    props: { children: text },
  });
  return text === undefined ? null : element;
});

export type PromptNoticeProps = PartProps<"p", PromptNoticeState>;
export interface PromptNoticeState {
  /** `data-notice`: which one; `held` when the answer is kept for its round. */
  notice: ElicitationNotice["code"] | "held" | undefined;
}
