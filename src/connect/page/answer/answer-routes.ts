import {
  type Drafts,
  type Field,
  findSecretFields,
  initialDrafts,
  parseRequestedSchema,
  validate,
} from "../../../form/index.ts";
import type { AnyFieldError } from "../../../words/cards/limit-words.ts";
import {
  type ContentError,
  type ElicitationAction,
  type FormElicitationRequest,
  MAX_ANSWER_BYTES,
  MAX_NOTE_LENGTH,
  type UrlElicitationRequest,
  purposeOf,
} from "../../../contract/contract.ts";
import { jsonBytes } from "../../../contract/json-bytes.ts";
import { cardKindOf, formHeadingOf } from "../../../words/cards/form-heading.ts";
import { reviewOf } from "../../../contract/review.ts";
import { currentRequest, outcomeOf } from "../../../runtime/internal.ts";
import { readDrafts } from "./answer-drafts.ts";
import { answerEndedPage, answerFormPage } from "./answer-page.ts";
import { ON_PAGE, type PageApp, type PageContext, startUrl, returnUrlOf } from "../context.ts";
import type { GiveOn } from "./give-on.ts";
import type { Html } from "../layout/html.ts";
import { unavailable } from "../identity/identity-gate.ts";
import type { PageView } from "../layout/layout.ts";
import { pageRequestOf } from "../page-connector.ts";
import { progressOf } from "./round.ts";
import { timeLeftOf } from "../more-time.ts";
import { verifiedForm } from "../csrf-forms.ts";
import { isOpenable, urlAnswerPage } from "./url-answer-page.ts";
import { type HandOverTold, waitingPage } from "./waiting-page.ts";
import { type Viewer, accountOf } from "../identity/viewer.ts";
import { sendsOnPress } from "../../../form/hints.ts";
import { isThirdParty } from "../../../contract/claimed-name.ts";

type Verified = Extract<Viewer, { kind: "verified" }>;

/** The limit of an answer for a submitted form: browsers encode a byte with up to three characters. */
const MAX_ANSWER_FORM_BYTES = 3 * MAX_ANSWER_BYTES + 4096;

const ACTIONS: ReadonlySet<string | undefined> = new Set<ElicitationAction>(["accept", "decline", "cancel"]);

/** The data that a user has filled in. */
interface Filled {
  drafts: Drafts;
  errors: Readonly<Record<string, AnyFieldError>>;
  isUnconfirmed?: boolean | undefined;
  isRemembered?: boolean | undefined;
}

/**
 * Shows the request of a form or of a third-party page, or its outcome. `undefined` for a request that the hosted page
 * itself connects.
 */
export async function answerPage(
  view: PageView,
  context: PageContext,
  viewer: Verified,
  { csrfToken, filled, handOver }: { csrfToken: string; filled?: Filled; handOver?: HandOverTold },
): Promise<Html | undefined> {
  const { record, user } = viewer;
  const { request, chatOrigin } = record;
  if (request.mode === "url" && !isForeignPage(request, context, viewer)) return undefined;
  const { elicitationId, message, requester, from } = request;
  const kind = cardKindOf(request);
  const round = await progressOf(record, context);
  const outcome = outcomeOf(record);
  if (outcome !== undefined) {
    const nextUrl = round?.nextId === undefined ? undefined : startUrl(context.origin, round.nextId);
    const ended = { elicitationId, chatOrigin, kind, outcome, returnUrl: returnUrlOf(record, context) };
    const isChat = record.surface === "chat";
    const by = record.changedBy?.userId === user.id ? undefined : record.endedBy;
    const isDelegated = record.delegated === true;
    return answerEndedPage(view, {
      ...ended,
      isChat,
      isDelegated,
      from,
      by,
      round: round && { ...round, nextUrl },
    });
  }
  const chat = chatOrigin ?? context.chatHome;
  const shown = {
    elicitationId,
    csrfToken,
    message,
    requester,
    from,
    account: accountOf(user),
    chatHost: chat === undefined ? undefined : new URL(chat).host,
    kind,
    heading: formHeadingOf(request),
    review: reviewOf(request),
    round,
    ...timeLeftOf(record, context),
  };
  if (request.mode === "url") {
    return urlAnswerPage(view, {
      ...shown,
      kind: purposeOf(request),
      url: request.url,
      isConsented: record.status === "consented",
    });
  }
  const { assignee } = currentRequest(record);
  if (assignee !== undefined) {
    const returnUrl = returnUrlOf(record, context);
    return waitingPage(view, { ...shown, assignee, returnUrl, told: handOver });
  }
  const fields = fieldsOf(request);
  const {
    drafts,
    errors,
    isUnconfirmed = false,
    isRemembered = false,
  } = filled ?? { drafts: initialDrafts(fields), errors: {} };
  return answerFormPage(view, {
    ...shown,
    form: {
      fields,
      drafts,
      errors,
      secrets: findSecretFields(fields, request.message),
      isPressed: sendsOnPress(fields, request),
      context: request.context,
    },
    isUnconfirmed,
    remember: request.remember,
    isDelegable: request.delegate === true,
    isRemembered,
    giveOn: { choices: await choicesOf(viewer, context), hasFailed: handOver === "failed" },
  });
}

/** To whom the user may give the question. If the application cannot say that now, the question can still be answered. */
async function choicesOf(
  { record, user }: Verified,
  { elicitations, onError }: PageContext,
): Promise<GiveOn["choices"]> {
  try {
    const result = await elicitations.assigneesFor(record.request.elicitationId, user.id);
    return result.kind === "choices" ? result.choices : [];
  } catch (error) {
    onError(error);
    return [];
  }
}

/** Whether the page of a request belongs to a third party. */
function isForeignPage(request: UrlElicitationRequest, context: PageContext, viewer: Verified): boolean {
  if (pageRequestOf(context, viewer) !== undefined) return false;
  return !URL.canParse(request.url) || new URL(request.url).origin !== context.origin;
}

/** Handles the answer to a form from its page (contract, section 6). */
export function addAnswerRoutes(app: PageApp, context: PageContext): void {
  const { origin, elicitations, viewers } = context;

  app.post("/auth/answer", async (c) => {
    const submitted = await verifiedForm(c, context, { maxBytes: MAX_ANSWER_FORM_BYTES });
    if (submitted instanceof Response) return submitted;
    const { viewer, elicitationId, field, values } = submitted;
    const { request, conversationId } = viewer.record;
    const action = field("action");
    if (request.mode === "url" && !isForeignPage(request, context, viewer)) {
      return unavailable(c, context, { status: 404 });
    }
    const fields = request.mode === "form" ? fieldsOf(request) : [];
    const drafts = readDrafts(fields, values, c.get("view").catalogue);
    const isRemembered = field("remember") === "yes";
    const next = c.redirect(startUrl(origin, elicitationId), 303);
    const showAgain = async (
      filled: Filled,
      shown: typeof viewer = viewer,
      status: 200 | 422 = 422,
    ): Promise<Response> => {
      const csrfToken = await viewers.csrfToken(c.get("secret"), elicitationId);
      const page = await answerPage(c.get("view"), context, shown, {
        csrfToken,
        filled: { ...filled, isRemembered },
      });
      return page === undefined ? next : c.html(page, status);
    };
    if (action === "extend") {
      // For browsers without scripts: what is filled in stays.
      await elicitations.extend(elicitationId, viewer.user.id, ON_PAGE);
      const record = await elicitations.findToAnswer(elicitationId, viewer.user.id);
      if (record === undefined || outcomeOf(record) !== undefined) return next;
      return showAgain({ drafts, errors: {} }, { ...viewer, record }, 200);
    }
    if (action === "delegate") {
      const left = { elicitationId, conversationId, action: "accept", delegated: true } as const;
      await elicitations.answer(left, viewer.user.id, ON_PAGE);
      return next;
    }
    if (!isAction(action)) return unavailable(c, context, { status: 400 });
    if (outcomeOf(viewer.record) !== undefined) return next;
    const answer = { elicitationId, conversationId, action };
    if (action !== "accept") {
      // A note is for the agent of this chat, never for a third party that asks through it.
      const takesNote = action === "decline" && request.mode === "form" && !isThirdParty(request);
      const note = takesNote ? field("note") : undefined;
      if (Array.from(note ?? "").length > MAX_NOTE_LENGTH) return unavailable(c, context, { status: 400 });
      await elicitations.answer({ ...answer, note }, viewer.user.id, ON_PAGE);
      return next;
    }
    if (request.mode === "url") {
      // Agreeing to open a page is not the end of the request.
      if (isOpenable(request.url)) {
        await elicitations.answer(answer, viewer.user.id, { ...ON_PAGE, acceptMeans: "consent" });
      }
      return next;
    }

    const checked = validate(fields, drafts);
    const isUnconfirmed = findSecretFields(fields, request.message).length > 0 && field("secrets") !== "yes";
    if (!checked.ok || isUnconfirmed) {
      return showAgain({ drafts, errors: checked.ok ? {} : checked.errors, isUnconfirmed });
    }
    const tooLong = jsonBytes(checked.content) > MAX_ANSWER_BYTES ? longestText(fields, drafts) : undefined;
    if (tooLong !== undefined) return showAgain({ drafts, errors: { [tooLong]: { code: "too-long" } } });
    const result = await elicitations.answer(
      { ...answer, content: checked.content, remember: isRemembered },
      viewer.user.id,
      ON_PAGE,
    );
    // The server checks more than a page may check, such as slow patterns.
    return result.kind === "invalid" ? showAgain({ drafts, errors: errorsOf(fields, result.errors) }) : next;
  });
}

function longestText(fields: readonly Field[], drafts: Drafts): string | undefined {
  const lengthOf = ({ name }: Field) => String(drafts[name] ?? "").length;
  return fields.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0]?.name;
}

function isAction(value: string | undefined): value is ElicitationAction {
  return ACTIONS.has(value);
}

/** A schema that cannot be shown was refused earlier. Without fields, the form is a yes-or-no question. */
function fieldsOf({ requestedSchema }: FormElicitationRequest): readonly Field[] {
  const parsed = parseRequestedSchema(requestedSchema);
  return parsed.ok ? parsed.fields : [];
}

function errorsOf(
  fields: readonly Field[],
  errors: readonly ContentError[],
): Readonly<Record<string, AnyFieldError>> {
  const named: Record<string, AnyFieldError> = Object.create(null);
  for (const { name } of fields) {
    const error = errors.find(({ field }) => field === name);
    if (error !== undefined) named[name] = error;
  }
  return named;
}
