import { isOpen } from "../../client/ended.ts";
import { claimedNameOf, isThirdParty } from "../../contract/claimed-name.ts";
import { outcomeOfAction } from "../../contract/contract.ts";
import { type BoundElicitation, waitsForOther } from "../bound-elicitation.ts";
import { isolate } from "../isolate.ts";
import { cardKindOf, formHeadingOf } from "../../words/cards/form-heading.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";

/** Whether the request has ended, or the server does not know it. */
export function isOver(elicitation: BoundElicitation): boolean {
  return !isOpen(elicitation);
}

/** The position of a question among several, such as "Question 1 of 2". `at` counts from 0. */
export function questionPosition(at: number, count: number, catalogue: Catalogue): string {
  const format = (value: number) => value.toLocaleString(catalogue.locale);
  return catalogue.questionOf(format(at + 1), format(count));
}

/** Whether the user has passed on a question of another user's agent. */
export function isGivenOn({ status, request }: BoundElicitation): boolean {
  return status === "gone" && request.from !== undefined && request.assignee !== undefined;
}

/** Whether the request ended without an answer. */
export function isMissed(elicitation: BoundElicitation): boolean {
  const { status } = elicitation;
  if (status === "gone") return !isGivenOn(elicitation);
  return status === "expired" || status === "withdrawn" || status === "failed";
}

/** Whether the user may want the agent to ask again. */
export function canAskAgain({ status, request, askedAgain }: BoundElicitation): boolean {
  const hasNoYes = status === "declined" || status === "cancelled" || status === "expired";
  // The question of another user's agent: this user has no way to that agent.
  return hasNoYes && request.from === undefined && askedAgain !== true;
}

/** Says which user or group the question waits for. */
function waitsText({ request }: BoundElicitation, m: Catalogue): string {
  return m.others.waitsFor(isolate(request.assignee?.name ?? ""));
}

/** The service to connect, or the owner of the page, in the operator's texts. */
function serviceOf({ request }: BoundElicitation): string | undefined {
  return request.mode === "url" && request.service ? isolate(request.service.name) : undefined;
}

/** The heading of a card. It contains the subject of the request, never a third party's own name. */
export function titleText(elicitation: BoundElicitation, m: Catalogue): string {
  const own = formHeadingOf(elicitation.request);
  return own ? isolate(own.text) : m.title(cardKindOf(elicitation.request), serviceOf(elicitation));
}

/** Whether the heading contains the message, which is then not repeated. */
export function isMessageTitle({ request }: BoundElicitation): boolean {
  return formHeadingOf(request)?.from === "message";
}

/** A sentence of the catalogue, and a text from another source. */
export interface Told {
  sentence: string;
  detail?: string | undefined;
  /** The subject of a receipt. Not announced, because the card has just announced it. */
  about?: string | undefined;
}

/** The limit of one line of history, in UTF-16 units. */
const LONGEST_ABOUT = 60;

/** The subject of a page, if its service does not name it. */
function pageAbout(request: BoundElicitation["request"]): string | undefined {
  const { mode, message } = request;
  const isShort = message.length <= LONGEST_ABOUT && !isThirdParty(request);
  return mode === "url" && cardKindOf(request) !== "connect" && isShort ? message : undefined;
}

/** Whether the user left the decision to the agent. */
export function isDelegated({ delegated, answer, request }: BoundElicitation): boolean {
  return (delegated ?? request.resolution?.delegated ?? answer?.delegated) === true;
}

/** The receipt of an ended request. */
export function receiptOf(elicitation: BoundElicitation, m: Catalogue): Told | undefined {
  const { request, notice, reason, status } = elicitation;
  switch (status) {
    case "failed":
    case "accepted":
    case "declined":
    case "cancelled":
    case "expired":
    case "withdrawn":
    case "gone": {
      const service = serviceOf(elicitation);
      const account = claimedNameOf(request.resolution?.account);
      const isRemembered = status === "accepted" && request.resolution?.remembered !== undefined;
      const sentence = isRemembered
        ? m.remember.used
        : status === "accepted" && isDelegated(elicitation)
          ? m.leftToAgent
          : isGivenOn(elicitation)
            ? m.others.givenTo(isolate(request.assignee?.name ?? ""))
            : request.resolution?.by !== undefined
              ? m.others.answeredBy(isolate(request.resolution.by))
              : m.receipt(cardKindOf(request), status, service, account && isolate(account));
      // Only a failure needs the server's reason, which may be in another language.
      if (status === "failed") return { sentence, detail: reason && isolate(reason) };
      const heading = formHeadingOf(request)?.text ?? pageAbout(request);
      const about = heading && isolate(heading);
      if (notice?.code === "answered-elsewhere") return { sentence, about, detail: m.notices[notice.code] };
      const detail = service && sentence.includes(service) ? undefined : service;
      return { sentence, detail, about: detail === undefined ? about : undefined };
    }
    default:
      return undefined;
  }
}

/** An answer without content, while it is held for its round. */
export function heldAnswer(elicitation: BoundElicitation, m: Catalogue): string | undefined {
  const { status, answer, request } = elicitation;
  if (status !== "answered") return undefined;
  if (answer.action === "accept") return answer.delegated && m.leftToAgent;
  return m.receipt(cardKindOf(request), outcomeOfAction[answer.action], serviceOf(elicitation));
}

/** The notice of an open request: the last problem, or that the answer is held. */
export function noticeOf(elicitation: BoundElicitation, m: Catalogue): Told | undefined {
  const { status, notice, opener, proposal } = elicitation;
  if (status === "answered") {
    return { sentence: [heldAnswer(elicitation, m), m.held].filter(Boolean).join(" · ") };
  }
  // Only the form knows which fields a sentence has filled in.
  if (notice === undefined && proposal !== undefined && proposal.state !== "filled")
    return { sentence: m.proposals[proposal.state] };
  // The operator's own page has its own text: "You cancelled at Tracker."
  if (notice?.code === "provider-error" && opener !== undefined && notice.detail)
    return { sentence: isolate(notice.detail) };
  // The messages of the client and of the server about a failed call are for developers.
  const detail = notice?.code === "provider-error" ? notice.detail : undefined;
  return notice && { sentence: m.notices[notice.code], detail: detail && isolate(detail) };
}

/** What the user should do while a page is open. */
function waitingText({ window, checking }: BoundElicitation, m: Catalogue): string {
  return checking === true && window === "closed" ? m.checking : m.waiting[window ?? "elsewhere"];
}

/** The sentence that is announced when the card changes. */
export function statusText(elicitation: BoundElicitation, m: Catalogue): string | undefined {
  const receipt = receiptOf(elicitation, m);
  if (receipt !== undefined) return joined(receipt, ": ");
  if (waitsForOther(elicitation)) return waitsText(elicitation, m);
  if (elicitation.status === "submitting") return m.submitting;
  const notice = noticeOf(elicitation, m);
  if (notice !== undefined) return joined(notice, " ");
  return elicitation.status === "opened" ? waitingText(elicitation, m) : undefined;
}

function joined({ sentence, detail }: Told, between: string): string {
  return detail === undefined ? sentence : sentence + between + detail;
}
