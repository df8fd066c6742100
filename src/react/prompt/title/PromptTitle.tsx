"use client";
import type { ElicitationMode } from "../../../protocol/contract.ts";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { promptPart } from "../context.ts";

/** The heading of the card, which takes the focus when the card appears. Renders an `<h3>`. */
export const PromptTitle: Part<"h3", PromptTitleState> = promptPart(
  "Title",
  "h3",
  ({ elicitation, catalogue, titleRef, messageId }) => {
    const { mode, context } = elicitation.request;
    const children = catalogue.title(mode, context?.trigger);
    return {
      ref: titleRef,
      state: { mode },
      props: { tabIndex: -1, "aria-describedby": messageId, children },
    };
  },
);

export type PromptTitleProps = PartProps<"h3", PromptTitleState>;
export interface PromptTitleState {
  /** `data-mode`: `url` or `form`. */
  mode: ElicitationMode;
}
