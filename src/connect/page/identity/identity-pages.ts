import { html } from "hono/html";
import type { Html } from "../layout/html.ts";
import {
  type PageView,
  backToChat,
  boldName,
  layout,
  linkTo,
  messageContent,
  messagePage,
  skeleton,
} from "../layout/layout.ts";
import { type RequestOfPage, hiddenFields } from "../layout/page-parts.ts";

/** The links for an unknown user. Each is offered only if it can work. */
export interface NextSteps {
  /** Asks the chat again to identify the user. */
  tryAgain?: string | undefined;
  /** Signs in on this origin. */
  login?: string | undefined;
}

/** The links of a page that cannot continue: try again, sign in, or return to the chat. */
export function stepsOf(view: PageView, { tryAgain, login }: NextSteps): Html {
  const { words, brand, chatHome } = view;
  return html`<div class="actions">
    ${chatHome === undefined ? "" : backToChat(view, chatHome)}
    ${linkTo(tryAgain, words.tryAgain, { isPrimary: chatHome === undefined })}
    ${linkTo(login, words.signIn(brand?.name), {
      isPrimary: chatHome === undefined && tryAgain === undefined,
    })}
  </div>`;
}

/**
 * The same page for an id that does not exist, was deleted, or belongs to another user, so that it does not reveal which.
 * It depends only on the user who is signed in on this origin: it shows their account, and lets them switch it.
 */
export function unavailablePage(
  view: PageView,
  { account, login }: { account?: string | undefined; login?: string | undefined } = {},
): Html {
  const { words } = view;
  const [before, after] = words.youAre;
  return messagePage(view, {
    title: words.unavailable.title,
    mark: "person",
    data: { page: "refused" },
    content: html`${account === undefined ? "" : html`<p>${before}${boldName(account)}${after}</p>`}
      <p>${words.unavailable.text}</p>`,
    actions: html`<div class="actions">
      ${backToChat(view, view.chatHome)} ${linkTo(login, words.switchAccount)}
    </div>`,
  });
}

/**
 * The page that redirects to the chat, which identifies the user. It has the layout of the page that follows and no data
 * of the request. The browser continues as soon as this page has loaded, so the page loads no script. The link is for
 * browsers that do not redirect automatically, and appears after a delay.
 */
export function toChatPage(view: PageView, url: string): Html {
  const { title, text } = view.words.checking;
  return layout(
    view,
    title,
    { page: "checking" },
    skeleton(text, html`<p class="hint late"><a href="${url}">${view.words.continue}</a></p>`),
  );
}

/**
 * Why the chat is asked through its window: nobody is signed in to the chat, the browser hides the referrer, so that no
 * navigation can vouch, or there is no other way.
 */
export type AskingReason = "signed-out" | "no-referrer" | "no-other-way";

/** The page before the chat has vouched for this browser: it shows no data of the request. */
export function askingPage(
  view: PageView,
  data: {
    elicitationId: string;
    /** The chats that may vouch through a window that they opened, separated by spaces. */
    chatOrigins: string;
    /** Absent without such a chat, because there is no window to ask. */
    challenge: string | undefined;
    /** The URL of the next page when the chat has vouched. */
    next: string;
    reason: AskingReason;
    steps: NextSteps;
  },
): Html {
  const { words } = view;
  const { reason, steps, ...page } = data;
  const reasons: Readonly<Record<AskingReason, string>> = {
    "signed-out": words.unknownPerson.signedOut,
    "no-referrer": words.unknownPerson.noReferrer,
    "no-other-way": words.unknownPerson.notOpenedByChat,
  };
  const unknown = unknownPerson(view, reasons[reason], steps);
  if (data.challenge === undefined) {
    return layout(view, words.unknownPerson.title, { page: "refused" }, unknown);
  }
  const asking = skeleton(words.checking.text, linkTo(steps.login, words.signIn(view.brand?.name)));
  return layout(
    view,
    words.unknownPerson.title,
    { page: "asking", ...page },
    html`<div id="asking">${asking}</div>
      <div id="unknown" hidden>${unknown}</div>
      <noscript>${unknown}</noscript>`,
  );
}

function unknownPerson(view: PageView, reason: string, steps: NextSteps): Html {
  const { title, notForYou } = view.words.unknownPerson;
  return messageContent({
    title,
    mark: "question",
    content: html`<p role="alert">${reason}</p>
      <p class="hint">${notForYou}</p>`,
    actions: stepsOf(view, steps),
  });
}

/** The chat has vouched, or the user has signed in, but this browser still has neither proof nor session. */
export function stillUnknownPage(view: PageView, steps: NextSteps): Html {
  const { title, stillUnknown } = view.words.unknownPerson;
  return layout(view, title, { page: "refused" }, unknownPerson(view, stillUnknown, steps));
}

/** The page after "Not you?", which changes nothing yet. */
export function notYouPage(
  view: PageView,
  request: RequestOfPage & {
    account: string;
    /** The service whose account the page connects. */
    service: string | undefined;
    backUrl: string;
  },
): Html {
  const { words } = view;
  const { title, text, itIsMe, notMe } = words.sure;
  const { account, service, backUrl } = request;
  // Without a sign-in there is only this page to forget the user.
  const [answer, label] = service === undefined ? ["forget", notMe] : ["decline", words.decline];
  return messagePage(view, {
    title: title(account),
    mark: "person",
    data: { page: "refused" },
    content: html`<p>${text}</p>
      ${service === undefined ? "" : html`<p class="hint">${words.sharedUse(service)}</p>`}`,
    actions: html`<div class="actions">
      <form method="post" action="/auth/forget">
        ${hiddenFields(request)}<button class="primary" type="submit" name="answer" value="${answer}">
          ${label}
        </button>
      </form>
      ${linkTo(backUrl, itIsMe)}
    </div>`,
  });
}

/** The page after a user has confirmed that they are somebody else. */
export function forgottenPage(
  view: PageView,
  { title, text }: { title: string; text: string },
  steps: NextSteps,
): Html {
  return messagePage(view, {
    title,
    mark: "person",
    data: { page: "refused" },
    content: html`<p role="status">${text}</p>`,
    actions: stepsOf(view, steps),
  });
}

/** The chat cannot identify the user at the moment. */
export function laterPage(view: PageView, steps: NextSteps): Html {
  const { title, text } = view.words.later;
  return messagePage(view, {
    title,
    mark: "clock",
    data: { page: "refused" },
    content: html`<p role="alert">${text}</p>`,
    actions: stepsOf(view, steps),
  });
}

/** GitHub has asked the owners of an organisation to approve its app. It sends the user back without `state`. */
export function askedOwnersPage(view: PageView): Html {
  const { ended, failures } = view.words;
  return messagePage(view, {
    title: ended("failed", "GitHub").title,
    mark: "clock",
    data: { page: "refused" },
    content: html`<p>${failures.notApproved("GitHub")}</p>`,
    actions: backToChat(view, view.chatHome),
  });
}

/** The page after too many HTTP requests. */
export function tooManyPage(view: PageView): Html {
  const { title, text } = view.words.tooMany;
  return messagePage(view, {
    title,
    mark: "clock",
    data: { page: "refused" },
    content: html`<p>${text}</p>`,
    actions: backToChat(view, view.chatHome),
  });
}

/** The page after an error of the server. */
export function brokenPage(view: PageView): Html {
  const { title, text } = view.words.broken;
  return messagePage(view, {
    title,
    mark: "alert",
    data: { page: "refused" },
    content: html`<p role="alert">${text}</p>`,
    actions: backToChat(view, view.chatHome),
  });
}
