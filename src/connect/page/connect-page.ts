import { html } from "hono/html";
import type { ElicitationOutcome } from "../../contract/contract.ts";
import type { ConnectedAccount } from "../ports/connector.ts";
import type { Html } from "./layout/html.ts";
import { icon } from "./layout/icons.ts";
import { type PageView, backToChat, boldName, layout, messagePage, monogram } from "./layout/layout.ts";
import { OUTCOME_ICONS, type RequestOfPage, alertOf, fact, hiddenFields } from "./layout/page-parts.ts";

export interface Consent extends RequestOfPage {
  chatOrigin: string | undefined;
  /** Host of the chat that asked, if it is known. */
  chatHost: string | undefined;
  /** What the user recognises their chat account by. */
  account: string;
  /** Name of the agent that asks. */
  requester: string | undefined;
  service: string;
  /** Path of the service's icon on this page. */
  serviceIcon: string | undefined;
  /** Host where the user will sign in, if it is known before. */
  providerHost: string | undefined;
  /** What is asked for, in the operator's words. */
  permissions: readonly string[];
  /** Scopes for which the operator has set no words. Of an account that is connected, those that it has. */
  scopes: readonly string[];
  /** The other ones, if an account is connected that lacks them. */
  moreScopes: readonly string[];
  /** The tool that waits for the connection. */
  neededFor: string | undefined;
  /** The account that is connected already. */
  connected: ConnectedAccount | undefined;
  lastError: string | undefined;
  cutOpener: boolean;
}

/** How a page continues that is made by a script: what it says meanwhile, and its form. */
export interface ScriptedForm {
  /** Path of the script. */
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
      module: scripted?.module,
      notify: lastError === undefined ? undefined : "elicitation-failed",
    },
    html`<div>
        ${consentTiles(consent)}
        <h1>${title}</h1>
        <p class="lead">${before}${boldName(requester)}${after}</p>
      </div>
      ${lastError === undefined ? "" : alertOf(`${lastError} ${words.nothingConnected}`)}
      ${consent.permissions.length === 0 ? "" : permissionList(words.willBeAble, consent.permissions)}
      ${consentFacts(view, consent)}
      <p class="hint">${words.sharedUse(service)}</p>
      <div class="foot">
        ${scripted?.states ?? ""}
        <div class="actions">
          <form
            method="post"
            ${scripted?.attributes ?? html`action="/auth/connect/start" data-leaves="true"`}
          >
            ${fields}<button class="primary" type="submit">
              ${lastError === undefined ? words.continueTo(service) : words.tryAgain} ${icon("forward")}
            </button>
          </form>
          <form method="post" action="/auth/connect/decline">
            ${fields}<button type="submit">${words.decline}</button>
          </form>
        </div>
        <p class="note">${icon("lock")}<span>${words.passwordStays(service)} ${words.didNotAsk}</span></p>
      </div>`,
  );
}

/** The agent, and the service that it asks for. */
export function consentTiles(consent: Pick<Consent, "service" | "serviceIcon">): Html {
  return html`<div class="pair" aria-hidden="true">
    <span class="tile">${icon("agent")}</span><i></i>${tileOf(consent)}
  </div>`;
}

/** Who is signed in, and what is asked for. */
export function consentFacts(view: PageView, consent: Consent): Html {
  const { words } = view;
  const fields = hiddenFields(consent);
  return html`<dl class="facts">
    ${fact(
      words.signedInAs,
      html`<bdi>${consent.account}</bdi>
        <form method="post" action="/auth/forget">
          ${fields}<button class="text" type="submit">${words.notYou}</button>
        </form>`,
    )}
    ${consent.chatHost === undefined ? "" : fact(words.chat, html`<bdi>${consent.chatHost}</bdi>`)}
    ${consent.providerHost === undefined ? "" : fact(words.signInAt, html`<bdi>${consent.providerHost}</bdi>`)}
    ${consent.neededFor === undefined ? "" : fact(words.neededFor, html`<bdi>${consent.neededFor}</bdi>`)}
    ${scopesFact(words.access, consent.scopes)}${scopesFact(words.moreAccess, consent.moreScopes)}
    ${consent.connected === undefined ? "" : connectedFact(view, consent, consent.connected)}
  </dl>`;
}

function scopesFact(label: string, scopes: readonly string[]): Html | "" {
  return scopes.length === 0 ? "" : fact(label, html`<code>${scopes.join(" ")}</code>`);
}

function tileOf({ service, serviceIcon }: Pick<Consent, "service" | "serviceIcon">): Html {
  if (serviceIcon === undefined) return monogram("tile", service);
  return html`<span class="tile"><img alt="" src="${serviceIcon}" /></span>`;
}

function permissionList(heading: string, permissions: readonly string[]): Html {
  return html`<div>
    <h2>${heading}</h2>
    <ul class="scopes">
      ${permissions.map((permission) => html`<li>${icon("check")}<span>${permission}</span></li>`)}
    </ul>
  </div>`;
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
  /** Already checked against the operator's list. */
  returnUrl: string | undefined;
  /**
   * The account that is connected now. `none`: the request was accepted, and the connection has been removed since.
   * `undefined`: there is nothing to say about it, or it cannot be read.
   */
  connected: ConnectedAccount | "none" | undefined;
  /** What the connector offers for it besides. */
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
    content: html`<p role="status">${text}</p>
      <p id="closing" hidden>${words.closesSoon}</p>
      ${
        connected === undefined || connected === "none"
          ? ""
          : html`<dl class="facts">${connectedFact(view, ended, connected)}</dl>
              ${ended.more ?? ""}`
      }`,
    actions: backToChat(view, returnUrl, { isPrimary: !isConnected }),
  });
}
