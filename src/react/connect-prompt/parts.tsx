"use client";
import type { ReactNode } from "react";
import type { WindowState } from "../../client/elicitation.ts";
import { pageLinkOf } from "../../client/page-link.ts";
import { isolate } from "../isolate.ts";
import type { PartProps } from "../part.ts";
import { buttonView, useCopyView } from "../prompt/button-view.ts";
import { emphasise } from "../prompt/head.tsx";
import { icon } from "../prompt/icon.tsx";
import type { PartRender } from "../view.ts";
import { connectPart, type ConnectShared } from "./context.ts";

/** `sign`: a symbol before the label. */
export function connectView(
  { elicitation, catalogue, purpose, url, awaited }: ConnectShared,
  sign?: ReactNode,
): PartRender<ConnectPromptConnect.State> | undefined {
  const busy = elicitation.status === "submitting";
  // Stays while an answer is being sent, because a button that disappears loses the focus.
  const possible = elicitation.status === "pending" || awaited || busy;
  if (!possible || url.verdict === "block") return undefined;
  const { window, notice } = elicitation;
  const label =
    notice?.code === "provider-error"
      ? catalogue.tryAgain
      : window === "open"
        ? catalogue.showWindow
        : awaited
          ? catalogue.openAgain
          : url.tier === "danger"
            ? catalogue[purpose === "connect" ? "connectAnyway" : "openAnyway"]
            : catalogue[purpose];
  const children = sign ? (
    <>
      <span>{label}</span>
      {sign}
    </>
  ) : (
    label
  );
  return buttonView(children, () => void elicitation.connect(), { awaited, busy });
}

/**
 * Opens the page in a window, brings an open window to the front, or opens it again when it looks closed. The label says
 * which. Renders a `<button>`, or nothing if the page may not be opened.
 */
export const ConnectPromptConnect = /* @__PURE__ */ connectPart<"button", ConnectPromptConnect.State>(
  "Connect",
  connectView,
);
export namespace ConnectPromptConnect {
  export type Props = PartProps<"button", State>;
  export interface State {
    /** `data-awaited`: the page was opened before. */
    awaited: boolean;
    /** `data-busy`: an answer is being sent. */
    busy: boolean;
  }
}

export function useCopyLinkView(shared: ConnectShared): PartRender<ConnectPromptCopyLink.State> | undefined {
  const { elicitation, url, showsLink } = shared;
  const view = useCopyView(shared, url.href);
  return showsLink && url.verdict !== "block" && elicitation.opener !== "needed" ? view : undefined;
}

/**
 * Copies the URL to the clipboard. Renders a `<button>`, or nothing if the URL may not be opened, if its page could not
 * identify a user who follows a link, or while the page is open.
 */
export const ConnectPromptCopyLink = /* @__PURE__ */ connectPart<"button", ConnectPromptCopyLink.State>(
  "CopyLink",
  useCopyLinkView,
);
export namespace ConnectPromptCopyLink {
  export type Props = PartProps<"button", State>;
  export interface State {
    /** `data-copied`: the link was copied. */
    copied: boolean;
  }
}

export function fallbackView({ elicitation, catalogue, url }: ConnectShared): PartRender | undefined {
  const { status, window, markOpened, opener } = elicitation;
  if (status !== "opened" || window !== "blocked" || url.verdict === "block") return undefined;
  const href = opener === undefined ? url.href : pageLinkOf(url.href);
  const children = (
    <>
      <a
        href={href}
        target="_blank"
        rel={opener === undefined ? "noopener noreferrer" : "opener"}
        referrerPolicy="no-referrer"
        onClick={markOpened}
      >
        <span>{catalogue.openInNewTab}</span>
        {icon("open")}
      </a>
      {opener !== "needed" && (
        <a href={href} rel="noreferrer" onClick={markOpened}>
          {catalogue.continueInThisTab}
        </a>
      )}
    </>
  );
  return { tag: "div", state: {}, props: { children } };
}

/**
 * Links to the page when the browser blocked the window: one opens a tab, one leaves the chat (only if the page works
 * without its opener). They are real links because the user has already agreed to open the page. A tab of the trusted
 * origin keeps its opener, as the window would have. Renders a `<div>` with one or two `<a>`, or nothing.
 */
export const ConnectPromptFallback = /* @__PURE__ */ connectPart<"div">("Fallback", fallbackView);
export namespace ConnectPromptFallback {
  export type Props = PartProps<"div">;
}

export function finishedView({
  elicitation,
  catalogue,
  awaited,
}: ConnectShared): PartRender<ConnectPromptFinished.State> | undefined {
  const hasFailed = elicitation.notice?.code === "provider-error" && elicitation.window !== "blocked";
  if (!awaited || hasFailed) return undefined;
  // If accept means consent, it was already sent. The second accept reports completion.
  return buttonView(catalogue.finished, () => elicitation.accept(), {
    busy: elicitation.status === "submitting",
  });
}

/**
 * "I've finished": reports to the server that the page is complete. Renders a `<button>`, or nothing before a page was
 * opened, and after the page has reported a problem.
 */
export const ConnectPromptFinished = /* @__PURE__ */ connectPart<"button", ConnectPromptFinished.State>(
  "Finished",
  finishedView,
);
export namespace ConnectPromptFinished {
  export type Props = PartProps<"button", State>;
  export interface State {
    /** `data-busy`: an answer is being sent. */
    busy: boolean;
  }
}

/**
 * The limit in characters. A longer URL scrolls, so that the buttons stay near. It is focusable, because otherwise the
 * keyboard could not scroll it.
 */
const LONGEST = 600;

/** `copy` is the button that copies the link. */
export function urlView(
  { catalogue, url, showsLink }: ConnectShared,
  copy?: ReactNode,
): PartRender<ConnectPromptUrl.State> | undefined {
  if (!showsLink || url.href === "") return undefined;
  const { href, verdict, tier, asciiHost, unicodeHost, parts } = url;
  const { scheme, subdomain, registrable, port, rest } = parts;
  const sign = tier === "ok" ? "lock" : tier === "note" ? "screen" : "link";
  const children = (
    <>
      {icon(sign)}
      {verdict !== "block" && (
        <span className="elicit-host">
          {/* The name of the group contains the host. */}
          <span aria-hidden="true" dir="ltr" translate="no">
            <span>{subdomain}</span>
            <b>{registrable}</b>
            <span>{port}</span>
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

/**
 * The target of the link: the host, and below it the whole URL, as selectable text and never as a link. The URL consists
 * of `<span data-part="scheme | subdomain | port | rest">` and a `<strong>` for the registrable domain. An international
 * host is shown in ASCII, with the decoded name in a `<small>`. Renders a `<div role="group">`, or nothing once the page
 * is open or the request has ended.
 */
export const ConnectPromptUrl = /* @__PURE__ */ connectPart<"div", ConnectPromptUrl.State>("Url", urlView);
export namespace ConnectPromptUrl {
  export type Props = PartProps<"div", State>;
  export interface State {
    /** `data-verdict`: `ok`, `warn` or `block`. */
    verdict: "ok" | "warn" | "block";
    /** `data-tier`: `ok`, `note`, `caution` or `danger`. */
    tier: "ok" | "note" | "caution" | "danger";
  }
}

export function waitingView({
  elicitation,
  catalogue,
  purpose,
  url,
  awaited,
  isChecking,
}: ConnectShared): PartRender<ConnectPromptWaiting.State> | undefined {
  const { status, window, notice, checking = false } = elicitation;
  const busy = status === "submitting";
  if (!awaited && !busy) return undefined;
  const unfinished = notice?.code === "not-completed" && window !== "blocked";
  const text = isChecking
    ? catalogue.checking
    : busy
      ? catalogue.submitting
      : unfinished
        ? catalogue.notFinished
        : window === "closed"
          ? catalogue[checking ? "checking" : "windowClosed"]
          : emphasise(catalogue.waitingFor(url.asciiHost, purpose), url.asciiHost);
  const children = <span>{text}</span>;
  return { tag: "p", state: { window, checking, busy }, props: { children } };
}

/**
 * Says what the card is waiting for: the page while it is open, or the server while an answer is being sent. Renders a
 * `<p>`, or nothing if the card is not waiting.
 */
export const ConnectPromptWaiting = /* @__PURE__ */ connectPart<"p", ConnectPromptWaiting.State>(
  "Waiting",
  waitingView,
);
export namespace ConnectPromptWaiting {
  export type Props = PartProps<"p", State>;
  export interface State {
    /** `data-window`: `open`, `closed`, `blocked` or `elsewhere`. */
    window: WindowState | undefined;
    /** `data-checking`: the status is being read. */
    checking: boolean;
    /** `data-busy`: an answer is being sent. */
    busy: boolean;
  }
}
