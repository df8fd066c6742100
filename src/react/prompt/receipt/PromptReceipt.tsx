"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { ElicitationStatus } from "../../../client/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../context.ts";
import { receiptText } from "../status-text.ts";

/** How the request ended; it stays in the history. Renders a `<p>`, or nothing while the request is open. */
export const PromptReceipt = forwardRef(function PromptReceipt(
  props: PromptReceiptProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  const { elicitation, messages } = usePrompt("Receipt");
  const text = receiptText(elicitation, messages);
  const element = usePartElement("p", props, {
    ref,
    state: { status: elicitation.status },
    props: { children: text },
  });
  return text === undefined ? null : element;
});

export type PromptReceiptProps = PartProps<"p", PromptReceiptState>;
export interface PromptReceiptState {
  /** `data-status`: the outcome, or `gone`. */
  status: ElicitationStatus;
}
