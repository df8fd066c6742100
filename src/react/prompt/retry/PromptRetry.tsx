"use client";
import { type ForwardedRef, forwardRef, useState } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { buttonView } from "../button-view.ts";
import { type PromptShared, usePrompt } from "../context.ts";

/** Sends an answer again that did not arrive. Renders a `<button>`, or nothing when there is no such answer. */
export const PromptRetry = /* @__PURE__ */ forwardRef(function PromptRetry(
  props: PromptRetryProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, useRetryView(usePrompt("Retry")));
});

export function useRetryView({
  elicitation: { status, retry },
  catalogue,
}: PromptShared): PartRender<PromptRetryState> | undefined {
  const busy = status === "submitting";
  const [again, setAgain] = useState(false);
  if (again !== (status === "undelivered") && !busy) setAgain(!again);
  // It stays while the answer is on its way: a button that comes and goes takes the focus with it.
  return again && (busy || status === "undelivered")
    ? buttonView(catalogue.retry, retry, { busy })
    : undefined;
}

export type PromptRetryProps = PartProps<"button", PromptRetryState>;
export interface PromptRetryState {
  /** `data-busy`: the answer is on its way. */
  busy: boolean;
}
