"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { UrlTier } from "../../../client/index.ts";
import { isolate } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";
import { withIcon } from "../icon.tsx";
import { isOver } from "../status-text.ts";

/**
 * What to know before deciding, or why the request is blocked. A mere note, such as an address of this machine, stands in
 * `ConnectPromptParts.Url`; `notes` adds it for cards without that part. Renders a `<ul>`, or nothing without warnings.
 */
export const PromptWarnings = /* @__PURE__ */ forwardRef(function PromptWarnings(
  { notes, ...props }: PromptWarningsProps,
  ref: ForwardedRef<HTMLUListElement>,
) {
  return usePartElement(props, ref, warningsView(usePrompt("Warnings"), notes));
});

interface Warning {
  tier: UrlTier;
  sentence: string;
  /** Why, below the sentence. */
  details: readonly string[];
}

export function warningsView(
  shared: PromptShared,
  notes = false,
): PartRender<PromptWarningsState> | undefined {
  const found = isOver(shared.elicitation) ? [] : warnings(shared, notes);
  if (found.length === 0) return undefined;
  const children = found.map(({ tier, sentence, details }) => (
    <li key={sentence} data-tier={tier}>
      {withIcon(tier === "danger" ? "alert" : "warning", sentence)}
      {details.map((detail) => (
        <small key={detail}>{detail}</small>
      ))}
    </li>
  ));
  return { tag: "ul", state: { blocked: shared.elicitation.blocked !== undefined }, props: { children } };
}

function warnings({ elicitation: { blocked }, catalogue, url }: PromptShared, notes: boolean): Warning[] {
  if (blocked?.kind === "schema") {
    const details = blocked.reasons.map(({ code, property }) => {
      const reason = catalogue.schemaReasons[code];
      return property === undefined ? reason : catalogue.aboutQuestion(isolate(property), reason);
    });
    return [{ tier: "danger", sentence: catalogue.blockedForm, details }];
  }
  if (url === undefined || (url.tier === "note" && !notes)) return [];
  const { tier, imitates } = url;
  const sentences = url.reasons
    // That the name is international goes without saying when it is a trap.
    .filter((reason) => tier !== "danger" || reason !== "punycode")
    .map((reason) => catalogue.urlReasons[reason]);
  const headline = blocked ? catalogue.blockedUrl : imitates && catalogue.imitates(isolate(imitates));
  if (headline !== undefined) return [{ tier, sentence: headline, details: sentences }];
  return sentences.map((sentence) => ({ tier, sentence, details: [] }));
}

export type PromptWarningsProps = PartProps<"ul", PromptWarningsState> & {
  /** Also shows what is a fact to know, and no warning. @default false */
  notes?: boolean | undefined;
};
export interface PromptWarningsState {
  /** `data-blocked`: the request is blocked, and can only be declined or dismissed. */
  blocked: boolean;
}
