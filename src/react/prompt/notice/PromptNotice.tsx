"use client";
import type { ElicitationNotice } from "../../../client/index.ts";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { promptPart } from "../context.ts";
import { isOver, noticeText } from "../status-text.ts";

/** What went wrong last, or that the answer is kept. Renders a `<p>`, or nothing when there is nothing to say. */
export const PromptNotice: Part<"p", PromptNoticeState> = promptPart(
  "Notice",
  "p",
  ({ elicitation, catalogue }) => {
    const children = isOver(elicitation) ? undefined : noticeText(elicitation, catalogue);
    const notice = elicitation.status === "answered" ? "held" : elicitation.notice?.code;
    return children === undefined ? undefined : { state: { notice }, props: { children } };
  },
);

export type PromptNoticeProps = PartProps<"p", PromptNoticeState>;
export interface PromptNoticeState {
  /** `data-notice`: which one; `held` when the answer is kept for its round. */
  notice: ElicitationNotice["code"] | "held" | undefined;
}
