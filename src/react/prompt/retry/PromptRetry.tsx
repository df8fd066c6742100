"use client";
import { useState } from "react";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { button } from "../button.ts";
import { promptPart } from "../context.ts";

/** Sends an answer again that did not arrive. Renders a `<button>`, or nothing when there is no such answer. */
export const PromptRetry: Part<"button", PromptRetryState> = promptPart(
  "Retry",
  "button",
  function useRetry({ elicitation: { status, retry }, catalogue }) {
    const busy = status === "submitting";
    const [again, setAgain] = useState(false);
    if (again !== (status === "undelivered") && !busy) setAgain(!again);
    // It stays while the answer is on its way: a button that comes and goes takes the focus with it.
    return again && (busy || status === "undelivered") ? button(catalogue.retry, retry, { busy }) : undefined;
  },
);

export type PromptRetryProps = PartProps<"button", PromptRetryState>;
export interface PromptRetryState {
  /** `data-busy`: the answer is on its way. */
  busy: boolean;
}
