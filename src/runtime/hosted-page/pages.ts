import { html } from "hono/html";
import type { ElicitationOutcome } from "../../protocol/contract.ts";

type Html = ReturnType<typeof html>;

/** What the page's script needs to know. Everything here may be read by whoever looks at the page. */
interface PageData {
  page: "binding" | "consent" | "ended" | "refused";
  elicitationId?: string | undefined;
  chatOrigin?: string | undefined;
  challenge?: string | undefined;
  /** The message that tells the chat to look at the status. */
  notify?: "elicitation-complete" | "elicitation-failed" | undefined;
  cutOpener?: boolean | undefined;
  /** Loads the script that goes with Nango. */
  isNango?: boolean | undefined;
}

/** Every value is escaped by `html`; nothing is inline, so the policy of the page allows no inline code at all. */
function layout(title: string, data: PageData, content: Html): Html {
  const attributes = Object.entries({
    "data-page": data.page,
    "data-elicitation-id": data.elicitationId,
    "data-chat-origin": data.chatOrigin,
    "data-challenge": data.challenge,
    "data-notify": data.notify,
    "data-cut-opener": data.cutOpener === true ? "true" : undefined,
  }).map(([name, value]) => (value === undefined ? "" : html` ${name}="${value}"`));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="/auth/connect.css" />
        <script src="/auth/connect.js" defer></script>
        ${data.isNango === true ? html`<script type="module" src="/auth/connect-nango.js"></script>` : ""}
      </head>
      <body${attributes}>
        <main>${content}</main>
      </body>
    </html>`;
}

/** The same for an id that does not exist, has ended, or is somebody else's: nobody learns which. */
export function unavailablePage(): Html {
  const title = "This link cannot be used";
  return layout(
    title,
    { page: "refused" },
    html`<h1>${title}</h1>
      <p>It may have been used already, it may have expired, or it belongs to another person.</p>
      <p class="quiet">Go back to your chat and start again from there. You can close this window.</p>`,
  );
}

/** Before anybody has vouched for this browser: tells nothing about the request. */
export function bindingPage(data: { elicitationId: string; chatOrigin: string; challenge: string }): Html {
  return layout(
    "One moment",
    { page: "binding", ...data },
    html`<div id="waiting" data-state>
        <h1>One moment</h1>
        <p role="status">Checking with your chat that this is you.</p>
        <button class="main" type="button" disabled>Continue</button>
        <noscript><p role="alert">This page needs JavaScript to check that this is you.</p></noscript>
      </div>
      <div id="no-opener" data-state hidden>
        <h1>Open this page from your chat</h1>
        <p role="alert">
          This page cannot tell who you are. Somebody may have sent you a link that is not meant for you.
        </p>
        <p class="quiet">If you were about to connect an account, press Connect in your chat again.</p>
      </div>
      <div id="no-reply" data-state hidden>
        <h1>Your chat does not answer</h1>
        <p role="alert">
          Is it still open, and are you signed in there? Close this window and press Connect again.
        </p>
      </div>`,
  );
}

export interface Consent {
  elicitationId: string;
  chatOrigin: string | undefined;
  csrfToken: string;
  userName: string;
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
          <dt>Signed in as</dt>
          <dd>${consent.userName}</dd>
        </div>
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

/** After too many requests. */
export function tooManyPage(): Html {
  const title = "Too many attempts";
  return layout(
    title,
    { page: "refused" },
    html`<h1>${title}</h1>
      <p>Wait a minute, then reload this page.</p>`,
  );
}
