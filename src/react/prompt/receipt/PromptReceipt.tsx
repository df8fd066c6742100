"use client";
import { type ForwardedRef, forwardRef, type ReactNode } from "react";
import type { ElicitationStatus } from "../../../client/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";
import { type IconName, withIcon } from "../icon.tsx";
import { receiptOf } from "../status-text.ts";

const ICONS: Partial<Record<ElicitationStatus, IconName>> = {
  accepted: "done",
  expired: "clock",
  withdrawn: "back",
  failed: "alert",
};

/** How the request ended. Renders a `<p>`, or nothing while the request is open. */
export const PromptReceipt = /* @__PURE__ */ forwardRef(function PromptReceipt(
  props: PromptReceiptProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, receiptView(usePrompt("Receipt")));
});

/** `more`: goes on after the sentence. */
export function receiptView(
  { elicitation, catalogue }: PromptShared,
  more?: ReactNode,
): PartRender<PromptReceiptState> | undefined {
  const receipt = receiptOf(elicitation, catalogue);
  if (receipt === undefined) return undefined;
  const { status } = elicitation;
  const children = withIcon(
    ICONS[status] ?? "no",
    <strong>{receipt.sentence}</strong>,
    receipt.detail && " · ",
    receipt.detail && <bdi>{receipt.detail}</bdi>,
    more && " · ",
    more,
  );
  return { tag: "p", state: { status }, props: { children } };
}

export type PromptReceiptProps = PartProps<"p", PromptReceiptState>;
export interface PromptReceiptState {
  /** `data-status`: the outcome, or `gone`. */
  status: ElicitationStatus;
}
