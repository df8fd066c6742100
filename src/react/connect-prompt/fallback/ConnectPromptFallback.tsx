"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { icon } from "../../prompt/icon.tsx";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/**
 * Links to the page when the browser blocked the window: one opens a tab, one leaves the chat (only where the page works
 * without its opener). They are real links because the person has already agreed to open the page. A tab of the trusted
 * origin keeps its opener, as the window would have. Renders a `<div>` with one `<a>` or two, or nothing.
 */
export const ConnectPromptFallback = /* @__PURE__ */ forwardRef(function ConnectPromptFallback(
  props: ConnectPromptFallbackProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  return usePartElement(props, ref, fallbackView(useConnect("Fallback")));
});

export function fallbackView({ elicitation, catalogue, url }: ConnectShared): PartRender | undefined {
  const { status, window, markOpened, opener } = elicitation;
  if (status !== "opened" || window !== "blocked" || url.verdict === "block") return undefined;
  const children = (
    <>
      <a
        href={url.href}
        target="_blank"
        rel={opener === undefined ? "noopener noreferrer" : "opener"}
        referrerPolicy="no-referrer"
        onClick={markOpened}
      >
        {catalogue.openInNewTab}
        {icon("open")}
      </a>
      {opener !== "needed" && (
        <a href={url.href} rel="noreferrer" onClick={markOpened}>
          {catalogue.continueInThisTab}
        </a>
      )}
    </>
  );
  return { tag: "div", state: {}, props: { children } };
}

export type ConnectPromptFallbackProps = PartProps<"div", ConnectPromptFallbackState>;
export type ConnectPromptFallbackState = object;
