"use client";
import { type ReactElement, useMemo } from "react";
import {
  type ElicitationStatus,
  type UrlInspection,
  type WindowState,
  inspectUrl,
} from "../../client/index.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { purposeOf } from "../../contract/contract.ts";
import { isOver } from "../prompt/status-text.ts";
import { usePromptRoot } from "../prompt/use-prompt-root.ts";
import type { PartRender } from "../view.ts";
import type { ConnectShared } from "./context.ts";

/** What the root of the parts shows of its request. */
export interface ConnectPromptRootState {
  /** `data-status`: the status of the request. */
  status: ElicitationStatus;
  /** `data-window`: the state of the window, from the first click on. */
  window: WindowState | undefined;
  /** `data-verdict`: `ok`, `warn` or `block`. */
  verdict: UrlInspection["verdict"];
  /** `data-tier`: how much there is to know about the link: `ok`, `note`, `caution` or `danger`. */
  tier: UrlInspection["tier"];
  /** `data-over`: it has ended, or the server does not know it. */
  over: boolean;
}

export interface ConnectRootOptions {
  /** One of `elicitations` of `useElicitationList`, in mode `url`. */
  elicitation: BoundElicitation;
  /** Returns the registrable domain of a host (Public Suffix List), which is then emphasised instead of the whole host. */
  getRegistrableDomain?: ((asciiHost: string) => string | undefined) | undefined;
}

export interface ConnectRoot {
  shared: ConnectShared;
  /** The root's element, without children. */
  view: PartRender<ConnectPromptRootState>;
  /** The live region: render it inside of the root's element, after its children. */
  region: ReactElement | null;
}

/** State, focus, Escape and announcements of a URL request, for the card and for `ConnectPromptParts.Root`. */
export function useConnectRoot(options: ConnectRootOptions & { catalogue: Catalogue }): ConnectRoot {
  const { elicitation, catalogue, getRegistrableDomain } = options;
  const { request, status, window } = elicitation;
  if (request.mode !== "url") {
    throw new Error(
      "elicit-kit: <ConnectPrompt> and <ConnectPromptParts.Root> take URL requests, but this is a form. " +
        "Use <FormElicitation> or <FormElicitationParts.Root> for it.",
    );
  }
  const { shared: prompt, view, region } = usePromptRoot(elicitation, catalogue);
  const url = useMemo(
    () => inspectUrl(request.url, { getRegistrableDomain }),
    [request.url, getRegistrableDomain],
  );
  const awaited = status === "opened" || (status === "submitting" && window !== undefined);
  const over = isOver(elicitation);
  const toOpen =
    window === undefined || window === "blocked" || elicitation.notice?.code === "provider-error";
  const showsLink = toOpen && !over && status !== "undelivered";
  const shared = useMemo(
    () => ({ ...prompt, request, purpose: purposeOf(request), url, awaited, showsLink }),
    [prompt, request, url, awaited, showsLink],
  );
  const { verdict, tier } = url;
  return { shared, view: { ...view, state: { status, window, verdict, tier, over } }, region };
}
