import { html } from "hono/html";
import type { ElicitationOutcome } from "../../contract/contract.ts";
import type { ConnectedAccount } from "../ports/connector.ts";
import type { Html } from "./layout/html.ts";
import {
  OUTCOME_ICONS,
  type RequestOfPage,
  afterYes,
  alertOf,
  fact,
  folded,
  hiddenFields,
  warningOf,
} from "./layout/page-parts.ts";
import { type IconName, icon } from "./layout/images.ts";
import {
  type PageView,
  backToChat,
  boldName,
  layout,
  messagePage,
  monogram,
  tilesOf,
} from "./layout/layout.ts";
import { EXTEND_PATH, type TimeLeft, timeLeftLine } from "./more-time.ts";

export interface Consent extends RequestOfPage, TimeLeft {
  chatOrigin: string | undefined;
  /** The host of the chat that asked, if it is known. */
  chatHost: string | undefined;
  /** The name by which the user recognises their chat account. */
  account: string;
  /** The name of the agent that asks. */
  requester: string | undefined;
  service: string;
  /** The path of the service's icon on this page. */
  serviceIcon: string | undefined;
  /** The operator only knows the address of the service, which is also its name here. */
  isUnknown: boolean;
  /** The host where the user will sign in, if it is known in advance. */
  providerHost: string | undefined;
  /** The requested permissions, in the operator's texts. */
  permissions: readonly string[];
  /** Scopes without a text from the operator. For a connected account: those that it has. */
  scopes: readonly string[];
  /** The other scopes, if the connected account lacks them. */
  moreScopes: readonly string[];
  /** The tool that waits for the connection. */
  neededFor: string | undefined;
  /** Why the agent asks: the message of the request. */
  reason: string;
  /** The requested scopes, as they are sent to the service. */
  rawScopes: readonly string[];
  /** The account that is already connected. */
  connected: ConnectedAccount | undefined;
  lastError: string | undefined;
  /** The user has cancelled the last attempt at the service, which is not a fault. */
  isCancelled: boolean;
  /** What the user has read is no longer true. */
  isChanged: boolean;
  /** Binds what the page shows to its Start (`sign-in/place-seal.ts`). */
  placeSeal: string;
  cutOpener: boolean;
}

/** How a page continues that is built by a script: its text while loading, and its form. */
export interface ScriptedForm {
  /** The path of the script. */
  module: string;
  attributes: Html;
  states: Html;
}

export function consentPage(view: PageView, consent: Consent, scripted?: ScriptedForm): Html {
  const { words } = view;
  const { elicitationId, chatOrigin, service, lastError, cutOpener } = consent;
  const title = words.connect(service);
  const requester = consent.requester ?? words.assistant;
  const [before, after] = words.asksToUse(service);
  const fields = hiddenFields(consent);
  return layout(
    view,
    title,
    {
      page: "consent",
      elicitationId,
      chatOrigin,
      cutOpener,
      endsInMs: consent.endsInMs,
      module: scripted?.module,
      notify: lastError === undefined ? undefined : "elicitation-failed",
    },
    html`<div>
        ${consentTiles(consent)}
        <h1>${title}</h1>
        <p class="lead">${before}${boldName(requester)}${after}</p>
        ${reasonOf(consent)}
      </div>
      ${consent.isChanged ? alertOf(words.signInChanged(service)) : ""}
      ${lastError === undefined ? "" : lastErrorOf(view, lastError, consent.isCancelled)}
      ${rightsOf(view, consent)}${passwordRow(view, consent)}${accountRow(view, consent)}
      ${consentDetails(view, consent)}
      <div class="foot bar">
        ${scripted?.states ?? ""}
        <div class="actions">
          <form
            method="post"
            ${scripted?.attributes ?? html`action="/auth/connect/start" data-leaves="true"`}
          >
            ${fields}<input type="hidden" name="place" value="${consent.placeSeal}" />
            <button class="primary" type="submit">
              ${lastError === undefined ? continueWords(view, consent) : words.tryAgain} ${icon("forward")}
            </button>
          </form>
          <form method="post" action="/auth/connect/decline">
            ${fields}<button type="submit">${words.decline}</button>
          </form>
        </div>
        ${lastError === undefined ? html`<p class="hint">${consent.isUnknown ? words.unknownServer : words.didNotAsk}</p>` : ""}
      </div>`,
  );
}

/** The last problem. It is no fault if the user has cancelled at the service. */
function lastErrorOf({ words }: PageView, lastError: string, isCancelled: boolean): Html {
  return isCancelled ? alertOf(lastError, true) : alertOf(`${lastError} ${words.nothingConnected}`);
}

/**
 * The text of the button, which names the host that gets the password. It names no host if an unconfigured server has not
 * provided one.
 */
function continueWords({ words }: PageView, { service, providerHost, isUnknown }: Consent): string {
  if (!isUnknown) return words.continueTo(service);
  return providerHost === undefined ? words.continue : words.continueTo(providerHost);
}

type Connecting = Pick<Consent, "service" | "serviceIcon" | "requester" | "account" | "isUnknown">;

/** The user, the agent that asks, and the service. */
export function consentTiles(consent: Connecting): Html {
  const { account, requester, service } = consent;
  return tilesOf(
    { tile: monogram("tile", account), name: nameOf(account) },
    { tile: html`<span class="tile">${icon("agent")}</span>`, name: nameOf(requester ?? "") },
    { tile: tileOf(consent), name: nameOf(service) },
  );
}

const nameOf = (name: string): Html => html`<bdi>${name}</bdi>`;

/** Why the agent asks. The text may have another reading direction than the page. */
export function reasonOf({ reason }: Pick<Consent, "reason">): Html {
  return html`<p class="lead" dir="auto">${reason}</p>`;
}

/** What the agent can and cannot do. */
function rightsOf({ words }: PageView, { permissions, scopes, moreScopes, isUnknown }: Consent): Html {
  const named = (scope: string) => {
    if (scope === "offline_access") return html`${words.stayConnected}`;
    return isUnknown ? html`${words.usesNamedRight(scope)}` : html`<code>${scope}</code>`;
  };
  const can = [...permissions.map((permission) => html`${permission}`), ...scopes.map(named)];
  return html`<dl class="rights">
    ${rightsRow(words.can, "check", can)}${rightsRow(words.moreAccess, "check", moreScopes.map(named))}
    ${rightsRow(words.cannot, "close", [html`${words.seePassword}`])}
  </dl>`;
}

/** A row of permissions, or nothing if there are none. */
export function rightsRow(label: string, sign: IconName, rights: readonly Html[]): Html | "" {
  if (rights.length === 0) return "";
  return html`<dt>${label}</dt>
    <dd>
      <ul class="scopes">
        ${rights.map((right) => html`<li>${icon(sign)}<span>${right}</span></li>`)}
      </ul>
    </dd>`;
}

/** The host where the password is typed. */
function passwordRow({ words }: PageView, { providerHost, service, isUnknown }: Consent): Html {
  if (isUnknown && providerHost !== undefined && providerHost !== service) {
    const { title, text } = words.otherAddress;
    return warningOf(title, text(service, providerHost));
  }
  if (providerHost === undefined) {
    const sentence = isUnknown ? words.checkNextAddress : words.passwordStays(service);
    return html`<p class="where">${icon("lock")}<span>${sentence}</span></p>`;
  }
  const [before, after] = words.passwordOnlyAt;
  return html`<p class="where">
    ${icon("lock")}<span
      >${before}${boldName(providerHost)}${after}<small>${words.nextPageShows}</small></span
    >
  </p>`;
}

/** The account that is signed in to the chat. */
export function accountRow({ words }: PageView, consent: Consent): Html {
  return html`<div class="me">
    <span>${words.signedInAs} ${boldName(consent.account)}</span>
    <form method="post" action="/auth/forget">
      ${hiddenFields(consent)}<button class="text" type="submit">${words.notYou}</button>
    </form>
  </div>`;
}

/** Details that few users need, collapsed. An account that is already connected stays visible. */
export function consentDetails(view: PageView, consent: Consent): Html {
  const { words } = view;
  const { chatHost, neededFor, connected, service, rawScopes } = consent;
  return html`${
    connected === undefined ? "" : html`<dl class="facts">${connectedFact(view, consent, connected)}</dl>`
  }
  ${folded(
    words.details,
    html`<dl class="facts">
        ${chatHost === undefined ? "" : fact(words.chat, html`<bdi>${chatHost}</bdi>`)}
        ${neededFor === undefined ? "" : fact(words.neededFor, html`<bdi>${neededFor}</bdi>`)}
        ${rawScopes.length === 0 ? "" : fact(words.rights, html`<bdi><code>${rawScopes.join(" ")}</code></bdi>`)}
        ${fact(
          words.expires,
          html`<form method="post" action="${EXTEND_PATH}">
            ${hiddenFields(consent)}${timeLeftLine(view, consent)}
          </form>`,
        )}
        ${fact(words.takeBack, html`<a href="/auth/accounts" target="_blank">${words.accounts.title}</a>`)}
      </dl>
      <p class="hint">${words.sharedUse(service)}</p>`,
  )}`;
}

function tileOf({ service, serviceIcon, isUnknown }: Connecting): Html {
  if (isUnknown) return html`<span data-unknown>${monogram("tile", service)}</span>`;
  if (serviceIcon === undefined) return monogram("tile", service);
  return html`<span class="tile"><img alt="" src="${serviceIcon}" /></span>`;
}

/** The account that is connected, with the button that removes it. */
function connectedFact(
  { words }: PageView,
  request: RequestOfPage & { service: string },
  { name }: ConnectedAccount,
): Html {
  return fact(
    words.accountAt(request.service),
    html`<bdi>${name ?? words.connected}</bdi>
      <form method="post" action="/auth/connect/remove">
        ${hiddenFields(request)}<button class="text" type="submit">${words.remove}</button>
      </form>`,
  );
}

export interface Ended extends RequestOfPage {
  chatOrigin: string | undefined;
  outcome: ElicitationOutcome;
  service: string;
  /** Whether the user was asked in the chat of this server, whose turn waits for the outcome. */
  isChat: boolean;
  /** Already checked against the operator's list. */
  returnUrl: string | undefined;
  /**
   * The account that is connected now. `none`: the request was accepted, and the connection has been removed since.
   * `undefined`: it is unknown, or cannot be read.
   */
  connected: ConnectedAccount | "none" | undefined;
  /** Additional content from the connector. */
  more?: Html | undefined;
}

export function endedPage(view: PageView, ended: Ended): Html {
  const { words } = view;
  const { elicitationId, chatOrigin, outcome, service, returnUrl, connected } = ended;
  const isRemoved = outcome === "accepted" && connected === "none";
  const isConnected = outcome === "accepted" && !isRemoved;
  const { title, text } = isRemoved ? words.removed(service) : words.ended(outcome, service);
  return messagePage(view, {
    title,
    mark: isRemoved ? "minus" : OUTCOME_ICONS[outcome],
    isGood: isConnected,
    data: {
      page: "ended",
      elicitationId,
      chatOrigin,
      notify: outcome === "accepted" ? "elicitation-complete" : "elicitation-failed",
    },
    content: html`<p role="status">${isConnected ? afterYes(view, ended.isChat) : text}</p>
      <p id="closing" hidden>${words.closesSoon}</p>
      ${
        connected === undefined || connected === "none"
          ? ""
          : html`<dl class="facts">${connectedFact(view, ended, connected)}</dl>
              ${ended.more ?? ""}`
      }`,
    actions: backToChat(view, returnUrl),
  });
}
