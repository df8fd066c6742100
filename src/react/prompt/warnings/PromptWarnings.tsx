"use client";
import { inspectUrl } from "../../../client/index.ts";
import type { BoundElicitation } from "../../bound-elicitation.ts";
import type { Part } from "../../create-part.ts";
import { isolate } from "../../isolate.ts";
import type { Catalogue } from "../../catalogues/catalogue.ts";
import type { PartProps } from "../../part.ts";
import { promptPart } from "../context.ts";
import { isOver } from "../status-text.ts";

/** What to know before deciding, or why the request cannot be shown. Renders a `<ul>`, or nothing when all is well. */
export const PromptWarnings: Part<"ul", PromptWarningsState> = promptPart(
  "Warnings",
  "ul",
  ({ elicitation, catalogue }) => {
    const sentences = isOver(elicitation) ? [] : warnings(elicitation, catalogue);
    if (sentences.length === 0) return undefined;
    return {
      state: { blocked: elicitation.blocked !== undefined },
      props: { children: sentences.map((sentence) => <li key={sentence}>{sentence}</li>) },
    };
  },
);

export type PromptWarningsProps = PartProps<"ul", PromptWarningsState>;
export interface PromptWarningsState {
  /** `data-blocked`: these are reasons why nothing but decline and cancel is offered. */
  blocked: boolean;
}

function warnings({ blocked, request }: BoundElicitation, catalogue: Catalogue): readonly string[] {
  if (blocked?.kind === "schema") {
    return [
      catalogue.blockedForm,
      ...blocked.reasons.map(({ code, property }) => {
        const reason = catalogue.schemaReasons[code];
        return property === undefined ? reason : catalogue.aboutQuestion(isolate(property), reason);
      }),
    ];
  }
  if (request.mode === "form") return [];
  const reasons = inspectUrl(request.url).reasons.map((reason) => catalogue.urlReasons[reason]);
  return blocked === undefined ? reasons : [catalogue.blockedUrl, ...reasons];
}
