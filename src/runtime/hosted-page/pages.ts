import { html } from "hono/html";
import type { ElicitationOutcome } from "../../protocol/contract.ts";
import { type Html, layout } from "./layout.ts";

export interface Consent {
  elicitationId: string;
  chatOrigin: string | undefined;
  csrfToken: string;
  /** Host of the chat that asked, when it is known. */
  chatHost: string | undefined;
  /** What the person recognises their chat account by. */
  account: string;
  requester: string;
  service: string;
  /** Host where the person will sign in, when it is known before. */
  providerHost: string | undefined;
  /** The connection is made by a script, in a window of its own. */
  isNango: boolean;
  scopes: readonly string[];
  lastError: string | undefined;
  cutOpener: boolean;
}

export function consentPage(consent: Consent): Html {
  const { elicitationId, chatOrigin, csrfToken, requester, service, scopes, lastError, cutOpener, isNango } =
    consent;
  const title = `Connect ${service}`;
  const fields = html`<input type="hidden" name="elicitationId" value="${elicitationId}" /><input
      type="hidden"
      name="csrf"
      value="${csrfToken}"
    />`;
  return layout(
    title,
    {
      page: "consent",
      elicitationId,
      chatOrigin,
      cutOpener,
      isNango,
      notify: lastError === undefined ? undefined : "elicitation-failed",
    },
    html`<h1>${title}</h1>
      <p>${requester} asks to use your ${service} account for you.</p>
      ${lastError === undefined ? "" : html`<p role="alert">${lastError} You can try again.</p>`}
      <dl>
        <div>
          <dt>Your chat account</dt>
          <dd>${consent.account}</dd>
        </div>
        ${
          consent.chatHost === undefined
            ? ""
            : html`<div>
                <dt>Chat</dt>
                <dd>${consent.chatHost}</dd>
              </div>`
        }
        <div>
          <dt>Asked for by</dt>
          <dd>${requester}</dd>
        </div>
        ${
          consent.providerHost === undefined
            ? ""
            : html`<div>
                <dt>You will sign in at</dt>
                <dd>${consent.providerHost}</dd>
              </div>`
        }
        ${
          scopes.length === 0
            ? ""
            : html`<div>
                <dt>Access</dt>
                <dd>${scopes.join(", ")}</dd>
              </div>`
        }
      </dl>
      <p>Whoever uses this chat account can use the ${service} account you connect.</p>
      <div class="actions">
        <form method="post" action="/auth/connect/decline">
          ${fields}<button type="submit">Decline</button>
        </form>
        <form
          method="post"
          ${
            isNango
              ? html`action="/auth/connect/nango/session"
                data-nango="true"${cutOpener ? html` data-cut-opener="true"` : ""}`
              : html`action="/auth/connect/start" data-leaves="true"`
          }
        >
          ${fields}<button class="main" type="submit">
            ${lastError === undefined ? `Continue to ${service}` : "Try again"}
          </button>
        </form>
      </div>
      ${isNango ? NANGO_STATES : ""}
      <form class="quiet" method="post" action="/auth/forget">
        ${fields}<button class="plain" type="submit">Not you?</button>
      </form>
      <p class="quiet">
        Your password stays with ${service}. If you did not ask for this, choose Decline or close this window.
      </p>`,
  );
}

const NANGO_STATES = html`<div role="status">
    <p id="nango-starting" data-nango-state hidden>One moment…</p>
    <p id="nango-waiting" data-nango-state hidden>
      Go on in the window that has opened. If it is closed, press the button again.
    </p>
    <p id="nango-blocked" data-nango-state hidden>
      Your browser did not open the window. Press the button once more.
    </p>
    <p id="nango-offline" data-nango-state hidden>
      There is no connection at the moment. Press the button to try again.
    </p>
  </div>
  <noscript><p role="alert">This page needs JavaScript to connect your account.</p></noscript>`;

export interface Ended {
  elicitationId: string;
  chatOrigin: string | undefined;
  outcome: ElicitationOutcome;
  service: string;
  /** Already checked against the operator's list. */
  returnUrl: string | undefined;
}

export function endedPage({ elicitationId, chatOrigin, outcome, service, returnUrl }: Ended): Html {
  const [title, text] = ENDINGS[outcome];
  const heading = title.replace("SERVICE", () => service);
  return layout(
    heading,
    {
      page: "ended",
      elicitationId,
      chatOrigin,
      notify: outcome === "accepted" ? "elicitation-complete" : "elicitation-failed",
    },
    html`<h1>${heading}</h1>
      <p role="status">${text}</p>
      ${returnUrl === undefined ? "" : html`<a class="button" href="${returnUrl}">Back to the chat</a>`}
      <p class="quiet">You can close this window.</p>`,
  );
}

const ENDINGS: Readonly<Record<ElicitationOutcome, readonly [title: string, text: string]>> = {
  accepted: ["SERVICE is connected", "Your chat goes on by itself."],
  declined: ["SERVICE was not connected", "You declined. Nothing was shared."],
  cancelled: ["SERVICE was not connected", "The request was dismissed. Nothing was shared."],
  expired: ["This request has expired", "Ask for it again in your chat. Nothing was shared."],
  withdrawn: ["This request was withdrawn", "Your chat no longer needs it. Nothing was shared."],
  failed: ["SERVICE could not be connected", "Ask for it again in your chat."],
};
