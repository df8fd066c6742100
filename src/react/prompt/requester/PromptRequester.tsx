"use client";
import { type ForwardedRef, forwardRef } from "react";
import { directionOf, isolate } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";

/** Who asks. The name that a third party gives itself is shown as a claim. Renders a `<p>`, or nothing. */
export const PromptRequester = /* @__PURE__ */ forwardRef(function PromptRequester(
  props: PromptRequesterProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, requesterView(usePrompt("Requester")));
});

export function requesterView({
  elicitation,
  catalogue,
}: PromptShared): PartRender<PromptRequesterState> | undefined {
  const { requester } = elicitation.request;
  if (requester === undefined) return undefined;
  const claim = requester.claimedName;
  const name = catalogue.requester(isolate(requester.name));
  const children = claim ? `${name} ${catalogue.claimedName(isolate(claim))}` : name;
  return {
    tag: "p",
    state: { claimed: claim !== undefined },
    props: { dir: directionOf(children, catalogue.dir), children },
  };
}

export type PromptRequesterProps = PartProps<"p", PromptRequesterState>;
export interface PromptRequesterState {
  /** `data-claimed`: a third party gives itself a name. */
  claimed: boolean;
}
