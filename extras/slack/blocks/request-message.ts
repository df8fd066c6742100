import type { ElicitationRequest, UrlElicitationRequest } from "../../../src/contract/contract.ts";
import { claimedNameOf, isThirdParty } from "../../../src/contract/claimed-name.ts";
import { cardKindOf, formHeadingOf } from "../../../src/words/cards/form-heading.ts";
import type { Catalogue } from "../../../src/words/cards/catalogue.ts";
import {
  PREFIX,
  type SlackBlock,
  type SlackElement,
  button,
  localTime,
  mention,
  section,
  smallPrint,
} from "./block.ts";
import { type SlackLanguage, english, type PlainText, fallbackText, plainText, shorten } from "./text.ts";
import { loneYesNo, showForm } from "./form-fields.ts";
import { reviewText } from "./review-text.ts";
import { rememberBox } from "./remember-box.ts";
import { readPageLink } from "./page-link.ts";
import type { SlackWords } from "../words/slack-words.ts";
import { reviewOf } from "../../../src/contract/review.ts";

/** Options of a message. */
export interface MessageOptions {
  /** @default English */
  language?: SlackLanguage | undefined;
  /** Slack id of the user who is asked. The message mentions them. */
  person?: string | undefined;
  /**
   * The hosted page of the request: for forms that Slack cannot show, and for external pages, to which it links. The
   * hosted page authenticates the user; anyone in the channel can follow the link. Without it, an external page is opened
   * from a modal.
   */
  link?: string | undefined;
  /**
   * A new message of the user in the thread withdraws the request, as in the kit's surface. The message says so.
   * @default false
   */
  messageWithdraws?: boolean | undefined;
  /**
   * The app handles the buttons with which the user gets more time, gives the question to somebody else, takes it back, and
   * reminds them, as the kit's surface does. The message has them where the request allows it.
   * @default false
   */
  handsOver?: boolean | undefined;
  /** The user's answers, for the message of an accepted form. */
  answers?: readonly AnswerLine[] | undefined;
}

/** One question of a form with its answer, as text for users. */
export interface AnswerLine {
  readonly label: string;
  readonly value: string;
}

/** The text for notifications and screen readers, and the blocks. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
}

/**
 * The message of a request: the reason, the link or the buttons, and the expiry; after the end, the outcome. For any
 * request, Slack accepts the message, the message mentions only the user who is asked, and every link in it is a button
 * that opens the origin of `link`.
 */
export function requestMessage(request: ElicitationRequest, options: MessageOptions = {}): SlackMessage {
  return request.resolution === undefined ? openMessage(request, options) : endedMessage(request, options);
}

function openMessage(request: ElicitationRequest, options: MessageOptions): SlackMessage {
  const { language = english, person } = options;
  const { catalogue, words } = language;
  const heading = formHeadingOf(request);
  const title = heading?.text ?? catalogue.title(cardKindOf(request), serviceOf(request));
  const isMessage = heading?.from === "message";
  const review = reviewOf(request);
  const said = review === undefined ? request.message : reviewText(review, catalogue);
  const {
    notes,
    boxes = [],
    buttons: answers,
  } = request.assignee !== undefined
    ? waitingParts(request, options)
    : request.mode === "url"
      ? urlParts(request, options)
      : formParts(request, options);
  const buttons = [...answers, ...moreTimeButtons(request, options)];
  const lines = [
    ...requesterLines(request, catalogue),
    ...(person === undefined ? [] : [words.for(mention(person))]),
    ...untilLines(request, words),
  ];
  return {
    text: fallbackText(isMessage ? title : review ? request.message : `${title}: ${request.message}`),
    blocks: [
      { type: "header", text: plainText(title, 150) },
      ...(isMessage || said === "" ? [] : [section(said)]),
      ...notes.map(section),
      ...(lines.length > 0 ? [smallPrint(...lines)] : []),
      ...boxes,
      ...(buttons.length > 0
        ? [{ type: "actions", block_id: PREFIX + request.elicitationId, elements: buttons }]
        : []),
      ...(options.messageWithdraws === true ? [smallPrint(words.messageWithdraws)] : []),
    ],
  };
}

interface Parts {
  readonly notes: readonly string[];
  readonly boxes?: readonly SlackBlock[];
  readonly buttons: readonly SlackElement[];
}

/**
 * Everyone in the channel can follow a link in the message, so it must lead to a page that authenticates users. Any other
 * page is opened from a modal, which only the user who is asked can open.
 */
function urlParts(
  request: UrlElicitationRequest,
  { language: { catalogue } = english, link: onPage }: MessageOptions,
): Parts {
  const { elicitationId } = request;
  const page = readPageLink(request, catalogue, onPage);
  const leave = leaveButtons(elicitationId, catalogue);
  if (!page.ok) return { notes: page.notes, buttons: leave };
  const url = page.isOwn ? page.href : onPage;
  const open =
    url === undefined
      ? button("answer", page.label, elicitationId, { style: "primary" })
      : button("link", page.label, elicitationId, { url, style: "primary" });
  // A user cannot have finished a page that was never opened, or that has just failed.
  const { status = "pending" } = request.progress ?? {};
  const finished = status === "pending" ? [] : [button("accept", catalogue.finished, elicitationId)];
  return {
    notes: page.notes,
    buttons: [open, ...finished, ...leave],
  };
}

/** Another user decides. */
function waitingParts(
  { elicitationId, assignee }: ElicitationRequest,
  { language: { catalogue } = english, handsOver = false }: MessageOptions,
): Parts {
  const { others } = catalogue;
  const { name = "", remind, takeBack } = assignee ?? {};
  return {
    notes: [others.waitsFor(name)],
    buttons: [
      ...(handsOver && remind === true ? [button("remind", others.remind, elicitationId)] : []),
      ...(handsOver && takeBack === true ? [button("take-back", others.takeBack, elicitationId)] : []),
    ],
  };
}

const serviceOf = (request: ElicitationRequest): string | undefined =>
  request.mode === "url" ? request.service?.name : undefined;

function formParts(
  request: Extract<ElicitationRequest, { mode: "form" }>,
  { language: { catalogue, words } = english, link, handsOver = false }: MessageOptions,
): Parts {
  const { elicitationId } = request;
  const form = showForm(request, catalogue);
  const leave = leaveButtons(elicitationId, catalogue);
  const give =
    handsOver && request.giveOn === true ? [button("give", catalogue.others.giveOn, elicitationId)] : [];
  const delegate = request.delegate === true ? [button("delegate", catalogue.youDecide, elicitationId)] : [];
  if (form.ok) {
    const isConsent = form.fields.length === 0;
    const isApproval = reviewOf(request) !== undefined;
    const yesNo = isApproval ? undefined : loneYesNo(form);
    const first = isConsent
      ? [
          button("accept", isApproval ? catalogue.approval.approve : catalogue.confirm, elicitationId, {
            style: "primary",
          }),
        ]
      : yesNo
        ? [button("yes", catalogue.yes, elicitationId), button("no", catalogue.no, elicitationId)]
        : [button("answer", words.answer, elicitationId, { style: "primary" })];
    // A request of a third party offers no note.
    const note = isThirdParty(request) ? [] : [button("note", catalogue.noAnd, elicitationId)];
    // Without a modal, the message shows the question.
    const asked = yesNo ? [yesNo.label, yesNo.description ?? ""] : [];
    const heading = formHeadingOf(request)?.text;
    const notes = asked.filter((line) => line.trim() !== "" && line !== heading && line !== request.message);
    // Any other form has the checkbox in its modal.
    const boxes = yesNo || (isApproval && isConsent) ? rememberBox(request, catalogue) : [];
    // To your own agent, the answer "no" is a decline, so one button is enough.
    const ways = yesNo && note.length > 0 ? leave.slice(1) : leave;
    return { notes, boxes, buttons: [...first, ...ways, ...delegate, ...note, ...give] };
  }
  if (form.because === "blocked" || link === undefined)
    return { notes: [catalogue.blockedForm], buttons: leave };
  const onPage = button("link", words.answerOnPage, elicitationId, { url: link, style: "primary" });
  const note = form.because === "secret" ? [] : [words.tooMuchForSlack];
  return { notes: note, buttons: [onPage, ...leave, ...delegate, ...give] };
}

function moreTimeButtons(
  { elicitationId, assignee, expiresAt, extendableUntil }: ElicitationRequest,
  { language: { catalogue } = english, handsOver = false }: MessageOptions,
): readonly SlackElement[] {
  if (!handsOver || assignee !== undefined || expiresAt === undefined || extendableUntil === undefined)
    return [];
  const isLast = Date.parse(extendableUntil) <= Date.parse(expiresAt);
  return isLast ? [] : [button("extend", catalogue.moreTime, elicitationId)];
}

function leaveButtons(elicitationId: string, catalogue: Catalogue): readonly SlackElement[] {
  return [
    button("decline", catalogue.decline, elicitationId),
    button("cancel", catalogue.dismiss, elicitationId),
  ];
}

/** The requester: the name from the operator, and the third party's own name, marked as a claim. */
export function requesterLines(
  { requester }: Pick<ElicitationRequest, "requester">,
  catalogue: Catalogue,
): readonly PlainText[] {
  if (requester === undefined) return [];
  const { name, claimedName } = requester;
  const claim =
    claimedName === undefined ? [] : [plainText(catalogue.claimedName(shorten(claimedName, 200)), 500)];
  return [plainText(name, 200), ...claim];
}

function untilLines({ expiresAt }: ElicitationRequest, words: SlackWords): readonly string[] {
  const at = new Date(expiresAt ?? NaN);
  return Number.isNaN(at.getTime()) ? [] : [words.until(localTime(at))];
}

const SIGNS = {
  accepted: "✓",
  declined: "✗",
  cancelled: "–",
  expired: "⌛",
  withdrawn: "–",
  failed: "⚠",
} as const;

function endedMessage(request: ElicitationRequest, options: MessageOptions): SlackMessage {
  const { language: { catalogue, words } = english, person, answers = [] } = options;
  const { outcome = "withdrawn", account, remembered, delegated } = request.resolution ?? {};
  const { used, askNextTime } = catalogue.remember;
  const own =
    outcome === "declined"
      ? words.declined(serviceOf(request))
      : catalogue.receipt(cardKindOf(request), outcome, serviceOf(request), claimedNameOf(account));
  const ended = remembered === undefined ? (delegated ? catalogue.leftToAgent : own) : used;
  const receipt = `${SIGNS[outcome]} ${ended}`;
  const isAnswer =
    remembered === undefined && (outcome === "accepted" || outcome === "declined" || outcome === "cancelled");
  const forget =
    remembered === undefined
      ? []
      : [{ type: "actions", elements: [button("forget", askNextTime, remembered)] }];
  const by = request.resolution?.by;
  const who =
    by !== undefined
      ? [plainText(catalogue.others.answeredBy(by), 300)]
      : isAnswer && person !== undefined
        ? [words.by(mention(person))]
        : [];
  const lines = answers.map(({ label, value }) => `${label}: ${value}`).join("\n");
  return {
    text: fallbackText(receipt),
    blocks: [
      section(receipt),
      ...(lines === "" ? [] : [section(lines)]),
      smallPrint(plainText(reviewOf(request)?.subject ?? request.message, 300), ...who),
      ...forget,
    ],
  };
}
