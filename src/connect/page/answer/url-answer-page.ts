import { html } from "hono/html";
import { type UrlInspection, inspectUrl } from "../../../contract/inspect-url.ts";
import type { PagePurpose } from "../../../contract/contract.ts";
import type { Html } from "../layout/html.ts";
import { alertOf, fact, hiddenFields } from "../layout/page-parts.ts";
import { icon } from "../layout/images.ts";
import { type PageView, layout } from "../layout/layout.ts";
import { EXTEND_PATH, timeLeftLine } from "../more-time.ts";
import { type Question, question } from "./question.ts";

export interface UrlAnswer extends Question {
  kind: PagePurpose;
  /** The URL of a third party: an MCP server, or a tool. */
  url: string;
  /** Whether the user has agreed to open it. */
  isConsented: boolean;
}

/** Whether a user may be sent to the URL of a request. */
export function isOpenable(url: string): boolean {
  return inspectUrl(url).verdict !== "block";
}

/**
 * For a request with a third-party page. The user first sees its address and agrees. Only then is there a link, which
 * opens a separate tab without access to this one.
 */
export function urlAnswerPage(view: PageView, request: UrlAnswer): Html {
  const { words, catalogue } = view;
  const { isConsented } = request;
  const title = catalogue.title(request.kind);
  const inspection = inspectUrl(request.url);
  const isBlocked = inspection.verdict === "block";
  return layout(
    view,
    title,
    { page: "consent", elicitationId: request.elicitationId, endsInMs: request.endsInMs },
    html`${question(view, title, request)} ${isBlocked ? alertOf(catalogue.blockedUrl) : ""}
      ${reasonsOf(view, inspection)}
      <dl class="facts">
        ${isBlocked ? "" : fact(catalogue.link(inspection.asciiHost), html`<bdi><code>${inspection.href}</code></bdi>`)}
        ${fact(
          words.signedInAs,
          html`<bdi>${request.account}</bdi>
            <form method="post" action="/auth/forget">
              ${hiddenFields(request)}<button class="text" type="submit">${words.notYou}</button>
            </form>`,
        )}
        ${request.chatHost === undefined ? "" : fact(words.chat, html`<bdi>${request.chatHost}</bdi>`)}
        ${fact(
          words.expires,
          html`<form method="post" action="${EXTEND_PATH}">
            ${hiddenFields(request)}${timeLeftLine(view, request)}
          </form>`,
        )}
      </dl>
      <div class="foot">
        ${
          isConsented && !isBlocked
            ? html`<a
                class="button primary"
                href="${inspection.href}"
                target="_blank"
                rel="noopener noreferrer"
                >${catalogue.openInNewTab} ${icon("forward")}</a
              >`
            : ""
        }
        <form class="actions" method="post" action="/auth/answer">
          ${hiddenFields(request)}${isBlocked ? "" : agreeButton(view, request, inspection)}
          <button type="submit" name="action" value="decline">${catalogue.decline}</button>
        </form>
        ${isConsented ? html`<p class="hint">${catalogue.waitingFor(inspection.asciiHost, request.kind)}</p>` : ""}
      </div>`,
  );
}

/** The button to agree to open the page, or later to say that the user has finished there. */
function agreeButton(
  { words, catalogue }: PageView,
  { isConsented }: UrlAnswer,
  { asciiHost }: UrlInspection,
): Html {
  return html`<button class="${isConsented ? "" : "primary"}" type="submit" name="action" value="accept">
    ${isConsented ? catalogue.finished : words.continueTo(asciiHost)}
  </button>`;
}

function reasonsOf({ catalogue }: PageView, { reasons, imitates }: UrlInspection): Html | "" {
  const texts = [
    ...(imitates === undefined ? [] : [catalogue.imitates(imitates)]),
    ...reasons.map((reason) => catalogue.urlReasons[reason]),
  ];
  if (texts.length === 0) return "";
  return html`<div class="warning">${texts.map((text) => html`<p>${text}</p>`)}</div>`;
}
