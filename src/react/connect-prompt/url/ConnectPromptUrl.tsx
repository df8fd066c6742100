"use client";
import { type ForwardedRef, forwardRef } from "react";
import { isolate } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../../prompt/context.ts";
import { isOver } from "../../prompt/status-text.ts";
import { useConnectPrompt } from "../context.ts";

/**
 * Where the link leads: the whole URL as text that can be selected, never as a link. Its pieces are
 * `<span data-part="scheme | subdomain | port | rest">` and a `<strong>` for the name that counts; an international
 * host is shown in ASCII with a `<small>` beside it. Renders a `<div role="group">`, or nothing once it has ended.
 */
export const ConnectPromptUrl = forwardRef(function ConnectPromptUrl(
  props: ConnectPromptUrlProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { elicitation, messages } = usePrompt("ConnectPromptParts.Url");
  const { url } = useConnectPrompt("Url");
  const { scheme, subdomain, registrable, port, rest } = url.parts;
  const element = usePartElement("div", props, {
    ref,
    state: { verdict: url.verdict },
    props: {
      role: "group",
      "aria-label": messages.link(url.asciiHost || url.href),
      children: (
        <>
          {/* Left to right in every language, and not for translation software: it is an address. */}
          <bdi dir="ltr" translate="no">
            <span data-part="scheme">{scheme}</span>
            <span data-part="subdomain">{subdomain}</span>
            <strong>{registrable}</strong>
            <span data-part="port">{port}</span>
            <span data-part="rest">{rest}</span>
          </bdi>
          {url.unicodeHost !== undefined && <small>{messages.decodedHost(isolate(url.unicodeHost))}</small>}
        </>
      ),
    },
  });
  return isOver(elicitation) || url.href === "" ? null : element;
});

export type ConnectPromptUrlProps = PartProps<"div", ConnectPromptUrlState>;
export interface ConnectPromptUrlState {
  /** `data-verdict`: `ok`, `warn` or `block`. */
  verdict: "ok" | "warn" | "block";
}
