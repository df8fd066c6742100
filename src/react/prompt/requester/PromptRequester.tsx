"use client";
import { type ForwardedRef, forwardRef } from "react";
import { directionOf, isolate } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";

/**
 * Who asks: the name that the operator of the chat's server has set. What a third party calls itself is in `Claim`. Renders a
 * `<p>`, or nothing.
 */
export const PromptRequester = /* @__PURE__ */ forwardRef(function PromptRequester(
  props: PromptRequesterProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, requesterView(usePrompt("Requester")));
});

export function requesterView({ elicitation, catalogue }: PromptShared): PartRender | undefined {
  const name = elicitation.request.requester?.name;
  if (name === undefined) return undefined;
  return { tag: "p", state: {}, props: { dir: directionOf(name, catalogue.dir), children: isolate(name) } };
}

export type PromptRequesterProps = PartProps<"p", PromptRequesterState>;
export type PromptRequesterState = object;
