"use client";
import type { Part } from "../../create-part.ts";
import { directionOf, isolate } from "../../isolate.ts";
import type { PartProps } from "../../part.ts";
import { promptPart } from "../context.ts";

/** Who asks; a name that a third party has given itself is told as a claim. Renders a `<p>`, or nothing. */
export const PromptRequester: Part<"p", PromptRequesterState> = promptPart(
  "Requester",
  "p",
  ({ elicitation, catalogue }) => {
    const { requester } = elicitation.request;
    if (requester === undefined) return undefined;
    const claim = requester.claimedName;
    const name = catalogue.requester(isolate(requester.name));
    const children = claim ? `${name} ${catalogue.claimedName(isolate(claim))}` : name;
    return {
      state: { claimed: claim !== undefined },
      props: { dir: directionOf(children, catalogue.dir), children },
    };
  },
);

export type PromptRequesterProps = PartProps<"p", PromptRequesterState>;
export interface PromptRequesterState {
  /** `data-claimed`: a third party has named itself. */
  claimed: boolean;
}
