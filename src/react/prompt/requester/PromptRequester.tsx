"use client";
import { type ForwardedRef, forwardRef } from "react";
import { isolate } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../context.ts";

/** Who asks; a name that a third party has given itself is told as a claim. Renders a `<p>`, or nothing. */
export const PromptRequester = forwardRef(function PromptRequester(
  props: PromptRequesterProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  const { elicitation, messages } = usePrompt("Requester");
  const { requester } = elicitation.request;
  const claim = requester?.claimedName;
  const element = usePartElement("p", props, {
    ref,
    state: { claimed: claim !== undefined },
    props: {
      dir: "auto",
      children:
        requester &&
        `${messages.requester(isolate(requester.name))} ${claim ? messages.claimedName(isolate(claim)) : ""}`.trim(),
    },
  });
  return requester === undefined ? null : element;
});

export type PromptRequesterProps = PartProps<"p", PromptRequesterState>;
export interface PromptRequesterState {
  /** `data-claimed`: a third party has named itself. */
  claimed: boolean;
}
