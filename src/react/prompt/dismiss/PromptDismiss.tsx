"use client";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { button } from "../button.ts";
import { promptPart } from "../context.ts";
import { isOver } from "../status-text.ts";

/**
 * Puts the request away without a decision, as Escape does; asks first when something was typed. Renders a `<button>`, or
 * nothing once the request has ended.
 */
export const PromptDismiss: Part<"button", PromptDismissState> = promptPart(
  "Dismiss",
  "button",
  ({ elicitation, catalogue, dismiss }) =>
    isOver(elicitation)
      ? undefined
      : button(catalogue.cancel, dismiss, { busy: elicitation.status === "submitting" }),
);

export type PromptDismissProps = PartProps<"button", PromptDismissState>;
export interface PromptDismissState {
  /** `data-busy`: an answer is on its way. */
  busy: boolean;
}
