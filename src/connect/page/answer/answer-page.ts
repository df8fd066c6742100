import { html } from "hono/html";
import type { CardKind } from "../../../words/cards/form-heading.ts";
import { type ElicitationOutcome, MAX_NOTE_LENGTH, type RememberOffer } from "../../../contract/contract.ts";
import { controlName } from "./answer-drafts.ts";
import { isYesNo } from "../../../form/steps.ts";
import { type FormState, formFields } from "./answer-form.ts";
import { type PageView, backToChat, layout, linkTo, messagePage } from "../layout/layout.ts";
import type { Html } from "../layout/html.ts";
import { type GiveOn, giveForm, giveOnOf } from "./give-on.ts";
import { timeLeftLine } from "../more-time.ts";
import { type Question, accountFacts, question } from "./question.ts";
import { OUTCOME_ICONS, afterYes, alertOf, folded, hiddenFields } from "../layout/page-parts.ts";
import { isThirdParty } from "../../../contract/claimed-name.ts";

export interface AnswerForm extends Question {
  form: FormState;
  /** Whether the user has sent secrets without confirming that. */
  isUnconfirmed: boolean;
  /** Whether the user can let the answer be remembered. */
  remember: RememberOffer | undefined;
  /** Whether they have ticked that. */
  isRemembered: boolean;
  giveOn: GiveOn;
  /** Whether the user may leave the decision to the agent. */
  isDelegable: boolean;
}

export function answerFormPage(view: PageView, request: AnswerForm): Html {
  const { words, catalogue } = view;
  const { form, isUnconfirmed } = request;
  const secrets = form.secrets.map(({ label }) => label);
  const title = request.heading?.text ?? catalogue.title(request.kind);
  const wrong = form.fields.flatMap(({ name, label }, index) =>
    Object.hasOwn(form.errors, name) ? [{ label, id: controlName(index) }] : [],
  );
  if (isUnconfirmed) wrong.push({ label: catalogue.secretsConfirm, id: "secrets" });
  const hasErrors = wrong.length > 0;
  return layout(
    view,
    hasErrors ? `${words.checkAnswers} ${title}` : title,
    { page: "consent", elicitationId: request.elicitationId, endsInMs: request.endsInMs },
    html`${question(view, title, request)} ${hasErrors ? errorList(words.checkAnswers, wrong) : ""}
      <form class="questions" method="post" action="/auth/answer" novalidate>
        ${hiddenFields(request)}${formFields(form, catalogue, request.heading)} ${rememberOf(view, request)}
        ${secrets.length === 0 ? "" : secretsWarning(view, secrets, isUnconfirmed)}
        ${accountFacts(view, request)} ${noteOf(view, request)} ${giveOnOf(view, request.giveOn)}
        <div class="foot bar">
          <div class="actions">
            ${
              form.isPressed
                ? ""
                : html`<button class="primary" type="submit" name="action" value="accept">
                    ${request.kind === "approve" ? catalogue.approval.approve : catalogue.submit}
                  </button>`
            }
            ${
              isYesNo(form.fields) && request.kind === "form" && !isThirdParty(request)
                ? ""
                : html`<button type="submit" name="action" value="decline">${catalogue.decline}</button>`
            }
            ${
              request.isDelegable
                ? html`<button type="submit" name="action" value="delegate">${catalogue.youDecide}</button>`
                : ""
            }
            <button type="submit" name="action" value="cancel">${catalogue.dismiss}</button>
          </div>
          <p class="hint">${words.expires} ${timeLeftLine(view, request)}</p>
        </div>
      </form>
      ${
        form.isPressed
          ? html`<form id="answer" method="post" action="/auth/answer">
              ${hiddenFields(request)}<input type="hidden" name="action" value="accept" />
            </form>`
          : ""
      }
      <form id="decline" method="post" action="/auth/answer">${hiddenFields(request)}</form>
      ${giveForm(request)}
      <form id="forget" method="post" action="/auth/forget">${hiddenFields(request)}</form>`,
  );
}

function rememberOf({ catalogue }: PageView, { remember, isRemembered }: AnswerForm): Html | "" {
  if (remember === undefined) return "";
  const { offered, same, ofKind } = catalogue.remember;
  const { allow, allowHint } = catalogue.approval;
  const isOfTool = remember.scope !== undefined;
  const hint = isOfTool ? allowHint : remember.kind === undefined ? same : ofKind(remember.kind);
  return html`<div class="field remember">
    <label class="option"
      ><input
        type="checkbox"
        name="remember"
        value="yes"
        aria-describedby="remember-hint"
        ${isRemembered ? html`checked` : ""}
      /><span>${isOfTool ? allow : offered(remember.days)}</span></label
    >
    <p class="hint" id="remember-hint">${hint}</p>
  </div>`;
}

/** "No, and …": a separate form, so that Enter in it declines. Third parties get no note. */
function noteOf({ catalogue }: PageView, request: AnswerForm): Html | "" {
  if (isThirdParty(request)) return "";
  const { requester } = request;
  const most = new Intl.NumberFormat(catalogue.locale).format(MAX_NOTE_LENGTH);
  return folded(
    catalogue.noAnd,
    html`<div class="field no-and">
      <label for="note">${catalogue.noAndLine}</label>
      <input
        id="note"
        name="note"
        form="decline"
        dir="auto"
        maxlength="${MAX_NOTE_LENGTH}"
        aria-describedby="note-hint"
      />
      <p class="hint" id="note-hint">
        ${catalogue.onlyReads(requester?.name, catalogue.range(undefined, most))}
      </p>
      <button type="submit" form="decline" name="action" value="decline">${catalogue.decline}</button>
    </div>`,
  );
}

/** The errors, with links to their fields. */
function errorList(heading: string, wrong: readonly { id: string; label: string }[]): Html {
  const links = wrong.map(({ id, label }) => html`<li><a href="#${id}">${label}</a></li>`);
  return alertOf(
    html`${heading}
      <ul>
        ${links}
      </ul>`,
  );
}

function secretsWarning({ catalogue }: PageView, secrets: readonly string[], isUnconfirmed: boolean): Html {
  const invalid = isUnconfirmed ? html` aria-invalid="true"` : "";
  return html`<div class="warning">
    <p id="secrets-text">${catalogue.secretsWarning(secrets.join(", "))}</p>
    <label class="option"
      ><input
        type="checkbox"
        id="secrets"
        name="secrets"
        value="yes"
        aria-describedby="secrets-text"
        ${invalid}
      /><span>${catalogue.secretsConfirm}</span></label
    >
  </div>`;
}

export function answerEndedPage(
  view: PageView,
  {
    kind,
    outcome,
    isChat,
    isDelegated,
    from,
    by,
    returnUrl,
    round,
    ...data
  }: {
    kind: CardKind;
    outcome: ElicitationOutcome;
    /** Whether the user was asked in the chat of this server, whose turn waits for the answer. */
    isChat: boolean;
    /** Whether the user left the decision to the agent. */
    isDelegated: boolean;
    /** The user for whom the decision was made, and whose chat waits. */
    from: { name: string } | undefined;
    /** The name for others of the user who has answered, if it is another user. */
    by: string | undefined;
    returnUrl: string | undefined;
    /** The progress of the round, with the page of the next open request if there is one. */
    round: { answered: number; size: number; nextUrl: string | undefined } | undefined;
    elicitationId: string;
    chatOrigin: string | undefined;
  },
): Html {
  const { words, catalogue } = view;
  const isAnswered = outcome === "accepted";
  const hasNext = round?.nextUrl !== undefined;
  const answer = isAnswered ? afterYes(view, isChat) : words.nothingShared;
  const { others } = catalogue;
  const own = from === undefined ? answer : others.from(from.name);
  return messagePage(view, {
    title: isDelegated ? catalogue.leftToAgent : catalogue.receipt(kind, outcome),
    mark: OUTCOME_ICONS[outcome],
    isGood: isAnswered,
    data: {
      // The window stays open for the next request.
      page: hasNext ? "consent" : "ended",
      notify: isAnswered ? "elicitation-complete" : "elicitation-failed",
      ...data,
    },
    content: hasNext
      ? html`<p role="status">${words.roundProgress(round.answered, round.size)}</p>`
      : html`<p role="status">${by === undefined ? own : others.answeredBy(by)}</p>
          <p id="closing" hidden>${words.closesSoon}</p>`,
    actions: hasNext
      ? html`${linkTo(round.nextUrl, words.continue, { isPrimary: true })}${backToChat(view, returnUrl, { isPrimary: false })}`
      : backToChat(view, returnUrl),
  });
}
