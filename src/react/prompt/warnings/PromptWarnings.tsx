"use client";
import { type ForwardedRef, forwardRef } from "react";
import { inspectUrl } from "../../../client/index.ts";
import type { BoundElicitation } from "../../bound-elicitation.ts";
import { isolate } from "../../isolate.ts";
import type { Messages } from "../../messages/catalogue.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../context.ts";
import { isOver } from "../status-text.ts";

/** What to know before deciding, or why the request cannot be shown. Renders a `<ul>`, or nothing when all is well. */
export const PromptWarnings = forwardRef(function PromptWarnings(
  props: PromptWarningsProps,
  ref: ForwardedRef<HTMLUListElement>,
) {
  const { elicitation, messages } = usePrompt("Warnings");
  const sentences = isOver(elicitation) ? [] : warnings(elicitation, messages);
  const element = usePartElement("ul", props, {
    ref,
    state: { blocked: elicitation.blocked !== undefined },
    props: { children: sentences.map((sentence) => <li key={sentence}>{sentence}</li>) },
  });
  return sentences.length === 0 ? null : element;
});

export type PromptWarningsProps = PartProps<"ul", PromptWarningsState>;
export interface PromptWarningsState {
  /** `data-blocked`: these are reasons why nothing but decline and cancel is offered. */
  blocked: boolean;
}

function warnings({ blocked, request }: BoundElicitation, messages: Messages): readonly string[] {
  if (blocked?.kind === "schema") {
    return [
      messages.blockedForm,
      ...blocked.reasons.map(({ code, property }) => {
        const reason = messages.schemaReasons[code];
        return property === undefined ? reason : messages.aboutQuestion(isolate(property), reason);
      }),
    ];
  }
  if (request.mode === "form") return [];
  const reasons = inspectUrl(request.url).reasons.map((reason) => messages.urlReasons[reason]);
  return blocked === undefined ? reasons : [messages.blockedUrl, ...reasons];
}
