"use client";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { button } from "../button.ts";
import { promptPart } from "../context.ts";

/** Sends an answer again that did not arrive. Renders a `<button>`, or nothing when there is no such answer. */
export const PromptRetry: Part<"button", PromptRetryState> = promptPart(
  "Retry",
  "button",
  ({ elicitation, messages }) =>
    elicitation.status === "undelivered" ? button(messages.retry, elicitation.retry, {}) : undefined,
);

export type PromptRetryProps = PartProps<"button", PromptRetryState>;
export type PromptRetryState = object;
