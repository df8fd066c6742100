"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { ElicitationNotice } from "../../../client/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";
import { withIcon } from "../icon.tsx";
import { isOver, noticeOf } from "../status-text.ts";

/** What went wrong last, or that the answer is kept. Renders a `<p>`, or nothing when there is no notice. */
export const PromptNotice = /* @__PURE__ */ forwardRef(function PromptNotice(
  props: PromptNoticeProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, noticeView(usePrompt("Notice")));
});

export function noticeView({
  elicitation,
  catalogue,
}: PromptShared): PartRender<PromptNoticeState> | undefined {
  const told = isOver(elicitation) ? undefined : noticeOf(elicitation, catalogue);
  if (told === undefined) return undefined;
  const notice = elicitation.status === "answered" ? "held" : elicitation.notice?.code;
  const children = withIcon(
    notice === "held" ? "clock" : "alert",
    `${told.sentence} `,
    told.detail && <q>{told.detail}</q>,
  );
  return { tag: "p", state: { notice }, props: { children } };
}

export type PromptNoticeProps = PartProps<"p", PromptNoticeState>;
export interface PromptNoticeState {
  /** `data-notice`: its code; `held` when the answer is kept for its round. */
  notice: ElicitationNotice["code"] | "held" | undefined;
}
