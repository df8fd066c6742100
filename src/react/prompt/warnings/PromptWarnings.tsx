"use client";
import { type ForwardedRef, forwardRef } from "react";
import { isolate } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";
import { isOver } from "../status-text.ts";

/** What to know before deciding, or why the request is blocked. Renders a `<ul>`, or nothing without warnings. */
export const PromptWarnings = /* @__PURE__ */ forwardRef(function PromptWarnings(
  props: PromptWarningsProps,
  ref: ForwardedRef<HTMLUListElement>,
) {
  return usePartElement(props, ref, warningsView(usePrompt("Warnings")));
});

export function warningsView(shared: PromptShared): PartRender<PromptWarningsState> | undefined {
  const sentences = isOver(shared.elicitation) ? [] : warnings(shared);
  if (sentences.length === 0) return undefined;
  return {
    tag: "ul",
    state: { blocked: shared.elicitation.blocked !== undefined },
    props: { children: sentences.map((sentence) => <li key={sentence}>{sentence}</li>) },
  };
}

function warnings({ elicitation: { blocked }, catalogue, url }: PromptShared): readonly string[] {
  if (blocked?.kind === "schema") {
    return [
      catalogue.blockedForm,
      ...blocked.reasons.map(({ code, property }) => {
        const reason = catalogue.schemaReasons[code];
        return property === undefined ? reason : catalogue.aboutQuestion(isolate(property), reason);
      }),
    ];
  }
  const reasons = url?.reasons.map((reason) => catalogue.urlReasons[reason]) ?? [];
  return blocked === undefined ? reasons : [catalogue.blockedUrl, ...reasons];
}

export type PromptWarningsProps = PartProps<"ul", PromptWarningsState>;
export interface PromptWarningsState {
  /** `data-blocked`: the request is blocked, and can only be declined or dismissed. */
  blocked: boolean;
}
