import type {
  ElicitationAnswer,
  ElicitationOutcome,
  ElicitationRequest,
  StatusReport,
} from "../contract/contract.ts";
import type { AnswerReceipt } from "./channel.ts";
import type { ElicitationItem, ElicitationNotice, Proposal, WindowState } from "./elicitation.ts";
import { hasEnded, hasEndedByAnswer, isOpen } from "./ended.ts";

/** The events that can happen to one request. */
export type ElicitationEvent =
  /** The request arrived from a stream, from history or from a list, for the first time or again. */
  | {
      type: "received";
      request: ElicitationRequest;
      /** The request had ended before this page was loaded, so this page cannot know who answered it. */
      isHistory?: boolean | undefined;
    }
  /** The page was opened, or its window was blocked or looks closed. */
  | { type: "window"; window: WindowState }
  /** The user answered, and the answer waits for the rest of its round. */
  | { type: "held"; answer: ElicitationAnswer }
  /** The user changes an answer that is held. */
  | { type: "changed" }
  /** The answer was sent. */
  | { type: "sent"; answer: ElicitationAnswer }
  /** The server replied to the answer. */
  | { type: "receipt"; receipt: AnswerReceipt }
  /** The answer did not arrive and will be retried. */
  | { type: "undelivered"; notice: ElicitationNotice }
  /** The answer did not arrive and will not be retried: the user may choose again. */
  | { type: "undeliverable"; notice: ElicitationNotice }
  /** A sentence of the user is being read, or has been read. */
  | { type: "proposed"; proposal: Proposal }
  | { type: "checking" }
  /** The status could not be read. */
  | { type: "unchecked" }
  | { type: "reported"; report: StatusReport }
  /** The server does not know the request. */
  | { type: "missing" }
  /** Its conversation has the same question again. */
  | { type: "asked-again" };

/** The result of inspecting the URL or the schema of a request. */
export interface RequestInspection {
  blocked?: ElicitationItem["blocked"];
  fields?: ElicitationItem["fields"];
  opener?: ElicitationItem["opener"];
  takesNote?: ElicitationItem["takesNote"];
  takesSentence?: ElicitationItem["takesSentence"];
  canRemember?: ElicitationItem["canRemember"];
  canCarry?: ElicitationItem["canCarry"];
}

/** Creates an item for a new request. It has already ended if the request says so. Pure, never throws. */
export function createItem(
  conversationId: string,
  request: ElicitationRequest,
  { blocked, ...inspection }: RequestInspection = {},
): ElicitationItem {
  const item = {
    id: request.elicitationId,
    conversationId,
    request,
    ...inspection,
    notice: providerError(request.progress),
  };
  if (request.resolution !== undefined) return { ...item, blocked, status: request.resolution.outcome };
  return blocked === undefined ? { ...item, status: "pending" } : { ...item, blocked, status: "blocked" };
}

/**
 * The item after an event. Pure; returns the same object when the event changes nothing, so that late, repeated and
 * impossible events are harmless. Never throws.
 *
 * | from        | received | window | held     | sent       | receipt           | undelivered | undeliverable | reported | missing | changed |
 * | ----------- | -------- | ------ | -------- | ---------- | ----------------- | ----------- | ------------- | -------- | ------- | ------- |
 * | pending     | = or end | opened | answered | submitting | =                 | =           | =             | = or end | gone    | =       |
 * | opened      | = or end | opened | answered | submitting | =                 | =           | =             | = or end | gone    | =       |
 * | answered    | = or end | =      | answered | submitting | =                 | =           | =             | = or end | gone    | back    |
 * | submitting  | = or end | =      | =        | =          | end, gone or back | undelivered | back          | = or end | gone    | =       |
 * | undelivered | = or end | =      | answered | submitting | =                 | =           | =             | = or end | gone    | =       |
 * | blocked     | = or end | =      | answered | submitting | =                 | =           | =             | = or end | gone    | =       |
 * | gone        | =, end or pending | =      | =        | =          | =                 | =           | =             | = or end | =       | =       |
 * | an end      | =        | =      | =        | =          | =                 | =           | =             | =        | =       | =       |
 *
 * `=`: the status stays. `end`: the outcome from the server. `back`: `blocked`, else `opened` if a page was opened, else
 * `pending`. A blocked request is never held or sent as `accept`. `checking`, `unchecked`, `proposed` and
 * `asked-again` do not change the status.
 */
export function transition(item: ElicitationItem, event: ElicitationEvent): ElicitationItem {
  if (event.type === "asked-again")
    return isOpen(item) || item.askedAgain === true ? item : { ...item, askedAgain: true };
  if (hasEnded(item.status)) return event.type === "received" ? explain(item, event.request) : item;
  switch (event.type) {
    case "received":
      return receive(item, event.request, event.isHistory);
    case "reported":
      return report(item, event.report);
    case "missing":
      return item.status === "gone" ? item : end(item, "gone");
    default:
      return isOpen(item) ? transitionOpen(item, event) : item;
  }
}

function transitionOpen(
  item: OpenItem,
  event: Exclude<ElicitationEvent, { type: "received" | "reported" | "missing" | "asked-again" }>,
): ElicitationItem {
  switch (event.type) {
    case "window":
      if (item.blocked !== undefined || item.window === event.window) return item;
      if (item.answer !== undefined) return { ...item, window: event.window };
      return { ...item, status: "opened", window: event.window, notice: undefined };
    case "held":
    case "sent": {
      if (!canAnswer(item, event.answer)) return item;
      const { answer } = event;
      const next = { ...item, answer, notice: undefined, fieldErrors: undefined, proposal: undefined };
      return { ...next, status: event.type === "held" ? "answered" : "submitting" };
    }
    case "changed":
      return item.status === "answered" ? reopen(item) : item;
    case "proposed":
      return item.status === "pending" ? { ...item, proposal: event.proposal } : item;
    case "checking":
      return item.checking === true ? item : { ...item, checking: true };
    case "unchecked":
      return item.checking === true ? { ...item, checking: undefined } : item;
    default:
      return item.status === "submitting" ? transitionSubmitting(item, event) : item;
  }
}

function transitionSubmitting(
  item: AnsweredItem,
  event: Extract<ElicitationEvent, { type: "receipt" | "undelivered" | "undeliverable" }>,
): ElicitationItem {
  switch (event.type) {
    case "receipt":
      return settle(item, event.receipt);
    case "undelivered":
      return { ...item, status: "undelivered", notice: event.notice };
    case "undeliverable":
      return reopen(item, event.notice);
  }
}

type OpenItem = Exclude<ElicitationItem, { status: "gone" | ElicitationOutcome }>;
type UnansweredItem = Extract<ElicitationItem, { answer?: undefined; action?: undefined }>;
type AnsweredItem = Extract<ElicitationItem, { answer: ElicitationAnswer }>;

function canAnswer(item: OpenItem, answer: ElicitationAnswer): boolean {
  // The server would refuse the answer, because another user decides.
  if (item.status === "submitting" || item.request.assignee !== undefined) return false;
  return item.blocked === undefined || answer.action !== "accept";
}

/**
 * Updates only the round, the assignee, the end, the progress and the outcome. The URL or the form that the user has seen
 * must not change. A question that is repeated may be in another round.
 */
function receive(known: ElicitationItem, request: ElicitationRequest, isHistory = false): ElicitationItem {
  const { progress, resolution, round, assignee, from, giveOn, expiresAt } = request;
  if (resolution !== undefined) {
    const item = { ...known, request: { ...known.request, resolution } };
    return end(item, resolution.outcome, isHistory);
  }
  const before = known.request;
  const turn = { ...before, round, assignee, from, giveOn, expiresAt };
  if (known.status === "gone") {
    if (from === undefined) return known;
    // A request of another user's agent comes only from the inbox, which lists open requests. So this user has it
    // again.
    return assignee === undefined
      ? createItem(known.conversationId, turn, inspectionOf(known))
      : { ...known, request: turn };
  }
  const item = changing(before) === changing(request) ? known : { ...known, request: turn };
  if (progress === undefined) return item;
  const last = item.request.progress;
  if (last?.status === progress.status && last.lastError === progress.lastError) return item;
  // Progress without an error: the user is trying again, so the last error no longer applies.
  const notice =
    providerError(progress) ?? (item.notice?.code === "provider-error" ? undefined : item.notice);
  return { ...item, request: { ...item.request, progress }, notice };
}

/** What an update may change. */
const changing = ({ round, assignee, from, giveOn, expiresAt }: ElicitationRequest): string =>
  JSON.stringify([round, assignee, from, giveOn, expiresAt]);

function inspectionOf(item: RequestInspection): RequestInspection {
  const { blocked, fields, opener, takesNote, takesSentence, canRemember, canCarry } = item;
  return { blocked, fields, opener, takesNote, takesSentence, canRemember, canCarry };
}

/** A status read contains only the outcome. The request itself may arrive later with the rest. */
function explain(item: ElicitationItem, { resolution }: ElicitationRequest): ElicitationItem {
  const known = item.request.resolution;
  if (known !== undefined || resolution?.outcome !== item.status) return item;
  return { ...item, request: { ...item.request, resolution } };
}

function settle(item: AnsweredItem, receipt: AnswerReceipt): ElicitationItem {
  switch (receipt.kind) {
    case "settled":
      return end(receipt.differs ? { ...item, answer: undefined } : item, receipt.outcome);
    case "consented":
      return reopen({ ...item, request: { ...item.request, progress: { status: "consented" } } });
    case "pending":
      return reopen(item, providerError(receipt) ?? { code: "not-completed" });
    case "refused":
      return {
        ...reopen(item, { code: receipt.status === 401 ? "signed-out" : "refused", detail: receipt.message }),
        fieldErrors:
          receipt.errors && Object.fromEntries(receipt.errors.map((error) => [error.field, error])),
      };
    case "gone":
      return end(item, "gone");
  }
}

function providerError({ lastError, byUser }: Pick<StatusReport, "lastError" | "byUser"> = {}):
  | ElicitationNotice
  | undefined {
  if (lastError === undefined) return undefined;
  return { code: "provider-error", detail: lastError, ...(byUser && { byUser }) };
}

function report(
  item: ElicitationItem,
  { status, lastError, byUser, expiresAt }: StatusReport,
): ElicitationItem {
  const known = transition(item, { type: "unchecked" });
  // The user may have got more time on another device.
  const { extendableUntil, expiresAt: before = "" } = known.request;
  const isLater = extendableUntil !== undefined && Date.parse(expiresAt) > Date.parse(before);
  const checked = isLater ? { ...known, request: { ...known.request, expiresAt } } : known;
  if (status === "pending") {
    const notice = providerError({ lastError, byUser });
    if (!notice || item.status === "gone" || item.notice?.detail === lastError) return checked;
    return { ...checked, notice };
  }
  if (status === "consented" || status === "completed") {
    return receive(checked, { ...checked.request, progress: { status, lastError }, resolution: undefined });
  }
  return end(checked, status);
}

function end(
  item: Pick<ElicitationItem, "id" | "conversationId" | "request" | "answer" | "status"> & RequestInspection,
  status: ElicitationOutcome | "gone",
  isHistory = false,
): ElicitationItem {
  const { id, conversationId, request } = item;
  // A held answer is not the reason for the outcome.
  const answer = item.status === "answered" ? undefined : item.answer;
  const action = answer?.action;
  // A form that was answered in another tab or on another device.
  const elsewhere = !isHistory && action === undefined && request.mode === "form" && hasEndedByAnswer(status);
  const notice = elsewhere ? ({ code: "answered-elsewhere" } as const) : undefined;
  const delegated = status === "accepted" ? answer?.delegated : undefined;
  const inspection = inspectionOf(item);
  const { blocked, fields, canRemember, opener } = inspection;
  // A request that is gone may come back.
  const kept = status === "gone" ? inspection : { blocked, fields, canRemember, opener };
  return { id, conversationId, request, ...kept, delegated, status, action, notice };
}

/** The item after an answer that did not end its request: open again. */
function reopen({ blocked, window, ...item }: AnsweredItem, notice = item.notice): UnansweredItem {
  const open = { ...item, answer: undefined, notice };
  if (blocked !== undefined) return { ...open, blocked, status: "blocked" };
  return window === undefined ? { ...open, status: "pending" } : { ...open, window, status: "opened" };
}
