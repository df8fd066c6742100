"use client";
import { type ForwardedRef, forwardRef } from "react";
import { isolate } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";
import { emphasise } from "../emphasise.tsx";
import { withIcon } from "../icon.tsx";

/** The name that a third party gives itself, as a claim that nobody has verified. Renders a `<p>`, or nothing. */
export const PromptClaim = /* @__PURE__ */ forwardRef(function PromptClaim(
  props: PromptClaimProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, claimView(usePrompt("Claim")));
});

export function claimView({ elicitation, catalogue }: PromptShared): PartRender | undefined {
  const claim = elicitation.request.requester?.claimedName;
  if (claim === undefined) return undefined;
  const name = isolate(claim);
  const children = withIcon("question", emphasise(catalogue.claimedName(name), name));
  return { tag: "p", state: {}, props: { children } };
}

export type PromptClaimProps = PartProps<"p", PromptClaimState>;
export type PromptClaimState = object;
