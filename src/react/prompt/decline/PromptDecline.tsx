"use client";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { button } from "../button.ts";
import { promptPart } from "../context.ts";
import { isOver } from "../status-text.ts";

/** An explicit no. Renders a `<button>`, or nothing once the request has ended. */
export const PromptDecline: Part<"button", PromptDeclineState> = promptPart(
  "Decline",
  "button",
  ({ elicitation, catalogue }) =>
    isOver(elicitation)
      ? undefined
      : button(catalogue.decline, elicitation.decline, { busy: elicitation.status === "submitting" }),
);

export type PromptDeclineProps = PartProps<"button", PromptDeclineState>;
export interface PromptDeclineState {
  /** `data-busy`: an answer is on its way. */
  busy: boolean;
}
