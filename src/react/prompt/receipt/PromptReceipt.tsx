"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { ElicitationStatus } from "../../../client/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";
import { receiptText } from "../status-text.ts";

/** How the request ended. Renders a `<p>`, or nothing while the request is open. */
export const PromptReceipt = /* @__PURE__ */ forwardRef(function PromptReceipt(
  props: PromptReceiptProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, receiptView(usePrompt("Receipt")));
});

export function receiptView({
  elicitation,
  catalogue,
}: PromptShared): PartRender<PromptReceiptState> | undefined {
  const children = receiptText(elicitation, catalogue);
  const { status } = elicitation;
  return children === undefined ? undefined : { tag: "p", state: { status }, props: { children } };
}

export type PromptReceiptProps = PartProps<"p", PromptReceiptState>;
export interface PromptReceiptState {
  /** `data-status`: the outcome, or `gone`. */
  status: ElicitationStatus;
}
