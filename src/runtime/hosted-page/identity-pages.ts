import { html } from "hono/html";
import { type Html, layout } from "./layout.ts";

/** Ways on from a page that does not know who looks at it. Each is offered only where it can work. */
export interface WaysOn {
  /** Asks the chat again who this is. */
  tryAgain?: string | undefined;
  /** Signs in on this origin. */
  login?: string | undefined;
  /** The chat. */
  chatHome?: string | undefined;
}

function waysOn({ tryAgain, login, chatHome }: WaysOn): Html {
  return html`<div class="actions">
    ${linkTo(tryAgain, "Try again")} ${linkTo(login, "Sign in")} ${linkTo(chatHome, "Open your chat")}
  </div>`;
}

function linkTo(href: string | undefined, text: string): Html | "" {
  return href === undefined ? "" : html`<a class="button" href="${href}">${text}</a>`;
}

const NOT_YOURS = html`<p class="quiet">
  If you were not about to connect an account, close this page. Somebody may have sent you a link that is not
  meant for you.
</p>`;

/**
 * The same for an id that does not exist, has ended, or is somebody else's: nobody learns which. Who is signed in here as
 * somebody else may sign in anew.
 */
export function unavailablePage(login?: string): Html {
  const title = "This link cannot be used";
  return layout(
    title,
    { page: "refused" },
    html`<h1>${title}</h1>
      <p>It may have been used already, it may have expired, or it belongs to another person.</p>
      ${login === undefined ? "" : html`<a class="button" href="${login}">Sign in with another account</a>`}
      <p class="quiet">Go back to your chat and start again from there. You can close this window.</p>`,
  );
}

/**
 * On the way to the chat. The browser goes on by itself as soon as this page is loaded, so it loads nothing else; the link
 * is for browsers that are told not to go on.
 */
export function toChatPage(url: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>One moment</title>
      </head>
      <body>
        <p role="status">Checking with your chat that this is you.</p>
        <p><a href="${url}">Continue</a></p>
      </body>
    </html>`;
}

/**
 * Why the chat is asked through its window: nobody is signed in at the chat, the browser hides where it comes from
 * (`Referer`), so that no navigation can vouch, or there is no other way.
 */
export type AskingReason = "signed-out" | "no-referrer" | "no-other-way";

const REASONS: Readonly<Record<AskingReason, string>> = {
  "signed-out": "You are not signed in to your chat in this browser. Sign in there, then try again.",
  "no-referrer":
    "Your browser does not tell this page where you come from, so it must be opened by your chat. Press Connect there.",
  "no-other-way": "It was not opened by your chat. Press Connect there to open it.",
};

/** Before anybody has vouched for this browser: tells nothing about the request. */
export function askingPage(data: {
  elicitationId: string;
  /** The chat that may vouch through the window it opened. Without one there is nobody to ask. */
  chatOrigin: string | undefined;
  challenge: string | undefined;
  /** Where to go when it has. */
  next: string;
  reason: AskingReason;
  ways: WaysOn;
}): Html {
  const { reason, ways, ...page } = data;
  const isAsking = data.challenge !== undefined;
  const told = html`<h1>This page cannot tell who you are</h1>
    <p role="alert">${REASONS[reason]}</p>
    ${waysOn(ways)} ${NOT_YOURS}`;
  return layout(
    "Who are you?",
    isAsking ? { page: "asking", ...page } : { page: "refused" },
    isAsking
      ? html`<div id="asking">
            <h1>One moment</h1>
            <p role="status">Checking with your chat that this is you.</p>
            ${waysOn({ login: ways.login })}
          </div>
          <div id="unknown" hidden>${told}</div>
          <noscript>${told}</noscript>`
      : told,
  );
}

/** The chat has vouched, or the person has signed in, and still this browser shows neither. */
export function stillUnknownPage(ways: WaysOn): Html {
  const title = "This page cannot tell who you are";
  return layout(
    title,
    { page: "refused" },
    html`<h1>${title}</h1>
      <p role="alert">
        Your browser blocks the cookies of this page, it took longer than a few minutes, or you are not signed
        in to your chat.
      </p>
      ${waysOn(ways)} ${NOT_YOURS}`,
  );
}

/** After "Not you?". */
export function forgottenPage(ways: WaysOn): Html {
  const title = "Use your own chat account";
  return layout(
    title,
    { page: "refused" },
    html`<h1>${title}</h1>
      <p role="status">
        This page has forgotten who you are, and nothing was connected. Sign in to your chat as yourself, then
        press Connect there.
      </p>
      ${waysOn(ways)}`,
  );
}

/** The chat cannot tell at the moment. */
export function laterPage(ways: WaysOn): Html {
  const title = "Your chat cannot be asked now";
  return layout(
    title,
    { page: "refused" },
    html`<h1>${title}</h1>
      <p role="alert">Wait a minute, then try again.</p>
      ${waysOn(ways)}`,
  );
}

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
