"use client";
import type { ElicitationStatus } from "../../../client/index.ts";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { promptPart } from "../context.ts";
import { receiptText } from "../status-text.ts";

/** How the request ended; it stays in the history. Renders a `<p>`, or nothing while the request is open. */
export const PromptReceipt: Part<"p", PromptReceiptState> = promptPart(
  "Receipt",
  "p",
  ({ elicitation, catalogue }) => {
    const children = receiptText(elicitation, catalogue);
    const { status } = elicitation;
    return children === undefined ? undefined : { state: { status }, props: { children } };
  },
);

export type PromptReceiptProps = PartProps<"p", PromptReceiptState>;
export interface PromptReceiptState {
  /** `data-status`: the outcome, or `gone`. */
  status: ElicitationStatus;
}
