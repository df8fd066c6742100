"use client";
import { type ForwardedRef, forwardRef } from "react";
import { isolate } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { isOver } from "../../prompt/status-text.ts";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/**
 * Where the link leads: the whole URL as text that can be selected, never as a link. It consists of
 * `<span data-part="scheme | subdomain | port | rest">` and a `<strong>` for the registrable domain; an international
 * host is shown in ASCII, with the decoded name in a `<small>`. Renders a `<div role="group">`, or nothing once the request
 * has ended.
 */
export const ConnectPromptUrl = /* @__PURE__ */ forwardRef(function ConnectPromptUrl(
  props: ConnectPromptUrlProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  return usePartElement(props, ref, urlView(useConnect("Url")));
});

export function urlView({
  elicitation,
  catalogue,
  url,
}: ConnectShared): PartRender<ConnectPromptUrlState> | undefined {
  if (isOver(elicitation) || url.href === "") return undefined;
  const { scheme, subdomain, registrable, port, rest } = url.parts;
  const children = (
    <>
      {/* An address is read from left to right in every language, and must not be translated. */}
      <bdi dir="ltr" translate="no">
        <span data-part="scheme">{scheme}</span>
        <span data-part="subdomain">{subdomain}</span>
        <strong>{registrable}</strong>
        <span data-part="port">{port}</span>
        <span data-part="rest">{rest}</span>
      </bdi>
      {url.unicodeHost !== undefined && <small>{catalogue.decodedHost(isolate(url.unicodeHost))}</small>}
    </>
  );
  return {
    tag: "div",
    state: { verdict: url.verdict },
    props: { role: "group", "aria-label": catalogue.link(url.asciiHost || url.href), children },
  };
}

export type ConnectPromptUrlProps = PartProps<"div", ConnectPromptUrlState>;
export interface ConnectPromptUrlState {
  /** `data-verdict`: `ok`, `warn` or `block`. */
  verdict: "ok" | "warn" | "block";
}
