"use client";
import { type ForwardedRef, forwardRef, type ReactElement, useEffect, useMemo } from "react";
import { inspectUrl, type UrlInspection } from "../../contract/inspect-url.ts";
import type { ElicitationStatus, WindowState } from "../../client/elicitation.ts";
import { purposeOf } from "../../contract/contract.ts";
import type { ConnectPromptProps } from "../card-props.ts";
import type { GetRegistrableDomain } from "../elicitation-provider.tsx";
import { useSettings } from "../use-settings.ts";
import { type PartProps, usePartElement } from "../part.ts";
import { PromptContext } from "../prompt/context.ts";
import { isOver } from "../prompt/status-text.ts";
import { usePromptRoot } from "../prompt/use-prompt-root.ts";
import type { PartRender } from "../view.ts";
import { ConnectContext, type ConnectShared } from "./context.ts";

export interface ConnectRootOptions extends ConnectPromptProps {
  /** Returns the registrable domain of a host (Public Suffix List), which is then emphasised instead of the whole host. */
  getRegistrableDomain?: GetRegistrableDomain | undefined;
}

export interface ConnectRoot {
  shared: ConnectShared;
  /** The root's element, without children. */
  view: PartRender<ConnectPromptRoot.State>;
  /** The live region. Render it inside the root's element, after its children. */
  region: ReactElement | null;
}

/** State, focus, Escape and announcements of a URL request, for the card and for `ConnectPromptParts.Root`. */
export function useConnectRoot(options: ConnectRootOptions): ConnectRoot {
  const { elicitation } = options;
  const { catalogue, getRegistrableDomain, allowLoopbackHttp, onLink, onAskAgain } = useSettings(options);
  const { request, status, window, answer } = elicitation;
  if (request.mode !== "url") {
    throw new Error(
      "elicit-kit: <ConnectPrompt> and <ConnectPromptParts.Root> take URL requests, but this is a form. " +
        "Use <FormElicitation> or <FormElicitationParts.Root> for it.",
    );
  }
  const { shared: prompt, view, region } = usePromptRoot(elicitation, catalogue, onAskAgain);
  const url = useMemo(
    () => inspectUrl(request.url, { getRegistrableDomain, allowLoopbackHttp }),
    [request.url, getRegistrableDomain, allowLoopbackHttp],
  );
  const awaited = status === "opened" || (status === "submitting" && window !== undefined);
  const isChecking = status === "submitting" && answer.action === "accept" && window !== undefined;
  const over = isOver(elicitation);
  const toOpen =
    window === undefined || window === "blocked" || elicitation.notice?.code === "provider-error";
  const showsLink = toOpen && !over && status !== "undelivered";
  useEffect(() => {
    if (showsLink) onLink?.();
  }, [showsLink, onLink]);
  const shared = useMemo(() => {
    const purpose = purposeOf(request);
    return { ...prompt, request, purpose, url, awaited, isChecking, showsLink };
  }, [prompt, request, url, awaited, isChecking, showsLink]);
  const { verdict, tier } = url;
  return { shared, view: { ...view, state: { status, window, verdict, tier, over } }, region };
}

/** Groups the parts of one URL request. Escape inside of it dismisses the request. Renders a `<div role="group">`. */
export const ConnectPromptRoot = /* @__PURE__ */ forwardRef(function ConnectPromptRoot(
  props: ConnectPromptRoot.Props,
  ref: ForwardedRef<HTMLDivElement>,
) {
  // With a key, the next request takes the focus and is announced again.
  return <ConnectPromptRootInner key={props.elicitation.id} {...props} ref={ref} />;
});
export namespace ConnectPromptRoot {
  export type Props = PartProps<"div", State> & ConnectRootOptions;
  /** The state of the request that is shown. */
  export interface State {
    /** `data-status`: the status of the request. */
    status: ElicitationStatus;
    /** `data-window`: the state of the window, after the first click. */
    window: WindowState | undefined;
    /** `data-verdict`: `ok`, `warn` or `block`. */
    verdict: UrlInspection["verdict"];
    /** `data-tier`: the severity of the warnings about the link: `ok`, `note`, `caution` or `danger`. */
    tier: UrlInspection["tier"];
    /** `data-over`: the request has ended, or the server does not know it. */
    over: boolean;
  }
}

const ConnectPromptRootInner = /* @__PURE__ */ forwardRef(function ConnectPromptRootInner(
  { elicitation, catalogue, getRegistrableDomain, onAskAgain, children, ...props }: ConnectPromptRoot.Props,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { shared, view, region } = useConnectRoot({
    elicitation,
    catalogue,
    getRegistrableDomain,
    onAskAgain,
  });
  const content = (
    <>
      {children}
      {region}
    </>
  );
  const element = usePartElement({ ...props, children: content }, ref, view);
  return (
    <PromptContext.Provider value={shared}>
      <ConnectContext.Provider value={shared}>{element}</ConnectContext.Provider>
    </PromptContext.Provider>
  );
});
