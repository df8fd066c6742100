"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonView } from "../../prompt/button-view.ts";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/** "I've finished": asks the server to go on. Renders a `<button>`, or nothing while no page was opened. */
export const ConnectPromptFinished = /* @__PURE__ */ forwardRef(function ConnectPromptFinished(
  props: ConnectPromptFinishedProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, finishedView(useConnect("Finished")));
});

export function finishedView({
  elicitation,
  catalogue,
  request,
  awaited,
}: ConnectShared): PartRender<ConnectPromptFinishedState> | undefined {
  if (!awaited) return undefined;
  // Where the accept has already said "I agree to open it", what remains is to look whether the rest is done.
  const consented = request.progress?.status === "consented";
  const finish = () => (consented ? elicitation.check() : elicitation.accept());
  return buttonView(catalogue.finished, finish, { busy: elicitation.status === "submitting" });
}

export type ConnectPromptFinishedProps = PartProps<"button", ConnectPromptFinishedState>;
export interface ConnectPromptFinishedState {
  /** `data-busy`: an answer is on its way. */
  busy: boolean;
}
