"use client";
import { type ForwardedRef, forwardRef, type ReactNode } from "react";
import { isolate } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { icon } from "../../prompt/icon.tsx";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/** In characters. A longer URL should scroll, so that the buttons stay near: it is focusable, or the keyboard cannot scroll it. */
const LONGEST = 600;

/**
 * Where the link leads: the host, and below it the whole URL, as text that can be selected, never as a link. The URL
 * consists of `<span data-part="scheme | subdomain | port | rest">` and a `<strong>` for the registrable domain; an
 * international host is shown in ASCII, with the decoded name in a `<small>`. Renders a `<div role="group">`, or nothing
 * once the page is open or the request has ended.
 */
export const ConnectPromptUrl = /* @__PURE__ */ forwardRef(function ConnectPromptUrl(
  props: ConnectPromptUrlProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  return usePartElement(props, ref, urlView(useConnect("Url")));
});

/** `copy`: the button that copies the link. */
export function urlView(
  { catalogue, url, showsLink }: ConnectShared,
  copy?: ReactNode,
): PartRender<ConnectPromptUrlState> | undefined {
  if (!showsLink || url.href === "") return undefined;
  const { href, verdict, tier, asciiHost, unicodeHost, parts } = url;
  const { scheme, subdomain, registrable, port, rest } = parts;
  const sign = tier === "ok" ? "lock" : tier === "note" ? "screen" : "link";
  const children = (
    <>
      {icon(sign)}
      {verdict !== "block" && (
        <span className="elicit-host">
          {/* The name of the group says the host. */}
          <span aria-hidden="true" dir="ltr" translate="no">
            {subdomain}
            <b>{registrable}</b>
            {port}
          </span>
          {unicodeHost !== undefined && <small>{catalogue.decodedHost(isolate(unicodeHost))}</small>}
          {tier === "note" && <small>{catalogue.urlReasons["loopback-http"]}</small>}
        </span>
      )}
      {copy}
      {/* An address is read from left to right in every language, and must not be translated. */}
      <bdi dir="ltr" translate="no" {...(href.length > LONGEST && { tabIndex: 0 })}>
        <span data-part="scheme">{scheme}</span>
        <span data-part="subdomain">{subdomain}</span>
        <strong>{registrable}</strong>
        <span data-part="port">{port}</span>
        <span data-part="rest">{rest}</span>
      </bdi>
    </>
  );
  return {
    tag: "div",
    state: { verdict, tier },
    props: { role: "group", "aria-label": catalogue.link(asciiHost || url.href), children },
  };
}

export type ConnectPromptUrlProps = PartProps<"div", ConnectPromptUrlState>;
export interface ConnectPromptUrlState {
  /** `data-verdict`: `ok`, `warn` or `block`. */
  verdict: "ok" | "warn" | "block";
  /** `data-tier`: `ok`, `note`, `caution` or `danger`. */
  tier: "ok" | "note" | "caution" | "danger";
}
