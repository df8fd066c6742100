"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonProps } from "../../prompt/button-props.ts";
import { usePrompt } from "../../prompt/context.ts";
import { useConnectPrompt } from "../context.ts";

/** "I've finished": asks the server to go on. Renders a `<button>`, or nothing while no page was opened. */
export const ConnectPromptFinished = forwardRef(function ConnectPromptFinished(
  props: ConnectPromptFinishedProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  const { elicitation, messages } = usePrompt("ConnectPromptParts.Finished");
  const { request, awaited } = useConnectPrompt("Finished");
  // Where the accept has already said "I agree to open it", what remains is to look whether the rest is done.
  const consented = request.progress?.status === "consented";
  const busy = elicitation.status === "submitting";
  const element = usePartElement("button", props, {
    ref,
    state: { busy },
    props: {
      ...buttonProps(busy, () => (consented ? elicitation.check() : elicitation.accept())),
      children: messages.finished,
    },
  });
  return awaited ? element : null;
});

export type ConnectPromptFinishedProps = PartProps<"button", ConnectPromptFinishedState>;
export interface ConnectPromptFinishedState {
  /** `data-busy`: an answer is on its way. */
  busy: boolean;
}
