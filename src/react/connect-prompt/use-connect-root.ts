"use client";
import { type ReactElement, useMemo } from "react";
import { inspectUrl } from "../../client/index.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import { usePromptRoot } from "../prompt/use-prompt-root.ts";
import type { PartRender } from "../view.ts";
import type { ConnectShared } from "./context.ts";
import type { ConnectPromptRootState } from "./root/ConnectPromptRoot.tsx";

export interface ConnectRootOptions {
  elicitation: BoundElicitation;
  catalogue: Catalogue;
  /** The registrable domain of a host, from the Public Suffix List: it is emphasised, instead of the whole host. */
  getRegistrableDomain?: ((asciiHost: string) => string | undefined) | undefined;
}

export interface ConnectRoot {
  shared: ConnectShared;
  /** Of the root's element, without its children. */
  view: PartRender<ConnectPromptRootState>;
  /** To be rendered inside of the root's element, after its children. */
  region: ReactElement | null;
}

/** All that a card of a URL request is made from. */
export function useConnectRoot(options: ConnectRootOptions): ConnectRoot {
  const { elicitation, catalogue, getRegistrableDomain } = options;
  const { request, status, window } = elicitation;
  if (request.mode !== "url") {
    throw new Error(
      "elicit-kit: <ConnectPromptParts.Root> got a form request. Use <FormElicitationParts.Root> for it.",
    );
  }
  const { shared: prompt, view, region } = usePromptRoot(elicitation, catalogue);
  const url = useMemo(
    () => inspectUrl(request.url, { getRegistrableDomain }),
    [request.url, getRegistrableDomain],
  );
  const awaited = status === "opened" || (status === "submitting" && window !== undefined);
  const shared = useMemo(() => ({ ...prompt, request, url, awaited }), [prompt, request, url, awaited]);
  return { shared, view: { ...view, state: { status, window, verdict: url.verdict } }, region };
}
