"use client";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { connectPart } from "../context.ts";

/**
 * Ways to the page when the browser refused a window: a link that opens a tab, and one that leaves the chat. They are
 * live because the person has already agreed to open the page. Renders a `<div>` with two `<a>`, or nothing.
 */
export const ConnectPromptFallback: Part<"div", ConnectPromptFallbackState> = connectPart(
  "ConnectPromptParts.Fallback",
  "div",
  ({ elicitation, catalogue, url }) => {
    const { status, window, opened } = elicitation;
    if (status !== "opened" || window !== "blocked" || url.verdict === "block") return undefined;
    const children = (
      <>
        <a href={url.href} target="_blank" rel="noopener noreferrer" onClick={opened}>
          {catalogue.openInNewTab}
        </a>
        <a href={url.href} rel="noreferrer" onClick={opened}>
          {catalogue.continueInThisTab}
        </a>
      </>
    );
    return { state: {}, props: { children } };
  },
);

export type ConnectPromptFallbackProps = PartProps<"div", ConnectPromptFallbackState>;
export type ConnectPromptFallbackState = object;
