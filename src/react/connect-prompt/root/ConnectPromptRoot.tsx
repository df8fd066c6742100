"use client";
import { type ForwardedRef, forwardRef, useMemo } from "react";
import {
  type ElicitationStatus,
  inspectUrl,
  type UrlInspection,
  type WindowState,
} from "../../../client/index.ts";
import type { BoundElicitation } from "../../bound-elicitation.ts";
import type { Catalogue } from "../../catalogues/catalogue.ts";
import { en } from "../../catalogues/en.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { PromptContext } from "../../prompt/context.ts";
import { usePromptRoot } from "../../prompt/use-prompt-root.ts";
import { ConnectContext } from "../context.ts";

/** Groups the parts of one URL request; Escape inside of it dismisses the request. Renders a `<div role="group">`. */
export const ConnectPromptRoot = forwardRef(function ConnectPromptRoot(
  props: ConnectPromptRootProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  // Focus and announcements belong to one request: the next one is news again.
  return <ConnectPromptRootInner key={props.elicitation.id} {...props} ref={ref} />;
});

const ConnectPromptRootInner = forwardRef(function ConnectPromptRootInner(
  { elicitation, catalogue = en, getRegistrableDomain, children, ...props }: ConnectPromptRootProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { request, status, window } = elicitation;
  if (request.mode !== "url") {
    throw new Error(
      "elicit-kit: <ConnectPromptParts.Root> got a form request. Use <FormElicitationParts.Root> for it.",
    );
  }
  const root = usePromptRoot(elicitation, catalogue);
  const awaited = status === "opened" || (status === "submitting" && window !== undefined);
  const connect = useMemo(
    () => ({ ...root.context, request, url: inspectUrl(request.url, { getRegistrableDomain }), awaited }),
    [root.context, request, getRegistrableDomain, awaited],
  );
  const element = usePartElement("div", props, ref, {
    ref: root.rootRef,
    state: { status, window, verdict: connect.url.verdict },
    props: {
      ...root.props,
      children: (
        <>
          {children}
          {root.region}
        </>
      ),
    },
  });
  return (
    <PromptContext.Provider value={root.context}>
      <ConnectContext.Provider value={connect}>{element}</ConnectContext.Provider>
    </PromptContext.Provider>
  );
});

export type ConnectPromptRootProps = PartProps<"div", ConnectPromptRootState> & {
  elicitation: BoundElicitation;
  /** @default English */
  catalogue?: Catalogue | undefined;
  /** The registrable domain of a host, from the Public Suffix List: it is emphasised, instead of the whole host. */
  getRegistrableDomain?: ((asciiHost: string) => string | undefined) | undefined;
};
export interface ConnectPromptRootState {
  /** `data-status` */
  status: ElicitationStatus;
  /** `data-window`: what became of the window, from the first click on. */
  window: WindowState | undefined;
  /** `data-verdict`: `ok`, `warn` or `block`. */
  verdict: UrlInspection["verdict"];
}
