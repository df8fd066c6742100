import { html } from "hono/html";
import type { ElicitationRequest } from "../../../contract/contract.ts";
import type { Html } from "../layout/html.ts";
import { alertOf, hiddenFields } from "../layout/page-parts.ts";
import { icon } from "../layout/images.ts";
import { type PageView, backToChat, layout } from "../layout/layout.ts";
import { ASSIGNEE_PATH } from "./give-on.ts";
import { type Question, accountFacts, question } from "./question.ts";

/** What became of the last press of a button about who decides: a sentence, or that it has failed. */
export type HandOverTold = { readonly done: string } | "failed";

interface Waiting extends Question {
  assignee: NonNullable<ElicitationRequest["assignee"]>;
  returnUrl: string | undefined;
  told: HandOverTold | undefined;
}

/** For the user whose turn asks, while another user decides: for whom the question waits. */
export function waitingPage(view: PageView, request: Waiting): Html {
  const { others, title: titleOf } = view.catalogue;
  const { name, takeBack, remind } = request.assignee;
  const title = request.heading?.text ?? titleOf(request.kind);
  return layout(
    view,
    title,
    { page: "consent", elicitationId: request.elicitationId },
    html`${question(view, title, request)}
      <p class="waits">${icon("clock")}<span>${others.waitsFor(name)}</span></p>
      ${toldOf(view, request.told)} ${accountFacts(view, request)}
      <div class="foot">
        ${
          takeBack === true || remind === true
            ? html`<form class="actions" method="post" action="${ASSIGNEE_PATH}">
                ${hiddenFields(request)}${remind === true ? actButton("remind", others.remind) : ""}${
                  takeBack === true ? actButton("take-back", others.takeBack) : ""
                }
              </form>`
            : ""
        }
        ${backToChat(view, request.returnUrl, { isPrimary: false })}
      </div>
      <form id="forget" method="post" action="/auth/forget">${hiddenFields(request)}</form>`,
  );
}

function actButton(action: "remind" | "take-back", label: string): Html {
  return html`<button type="submit" name="action" value="${action}">${label}</button>`;
}

function toldOf({ catalogue }: PageView, told: HandOverTold | undefined): Html | "" {
  if (told === undefined) return "";
  return told === "failed"
    ? alertOf(catalogue.didNotWork)
    : html`<p class="hint" role="status">${told.done}</p>`;
}
