"use client";
import { type ForwardedRef, forwardRef, useState } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { buttonView } from "../button-view.ts";
import { type PromptShared, usePrompt } from "../context.ts";

/** Sends an undelivered answer again. Renders a `<button>`, or nothing when there is none. */
export const PromptRetry = /* @__PURE__ */ forwardRef(function PromptRetry(
  props: PromptRetryProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, useRetryView(usePrompt("Retry")));
});

export function useRetryView({
  elicitation: { request, status, answer, retry },
  catalogue,
}: PromptShared): PartRender<PromptRetryState> | undefined {
  const busy = status === "submitting";
  const [again, setAgain] = useState(false);
  if (again !== (status === "undelivered") && !busy) setAgain(!again);
  // The submit button of a form sends its answer again, with what was changed since.
  if (request.mode === "form" && answer?.action === "accept") return undefined;
  // Stays while the answer is sent: a button that disappears loses the focus.
  return again && (busy || status === "undelivered")
    ? buttonView(catalogue.retry, retry, { busy })
    : undefined;
}

export type PromptRetryProps = PartProps<"button", PromptRetryState>;
export interface PromptRetryState {
  /** `data-busy`: the answer is being sent. */
  busy: boolean;
}
