import type { ElicitationRequest, FormElicitationRequest } from "../../../src/contract/contract.ts";
import type { SurfaceAnswerResult, SurfaceTurn } from "../../../src/runtime/internal.ts";
import { buttonName, section } from "../blocks/block.ts";
import { readForm } from "../blocks/form-fields.ts";
import { FIELD_ACTION } from "../blocks/form-inputs.ts";
import { REMEMBER_ACTION } from "../blocks/remember-box.ts";
import { type SlackLanguage, plainText, escapeMrkdwn } from "../blocks/text.ts";
import { GIVE_BLOCK, GIVE_CALLBACK, chosenLabel, readChosen } from "../blocks/give-modal.ts";
import {
  installationOf,
  type SlackReply,
  type SlackBody,
  field,
  stateValues,
  text,
} from "../wire/payload.ts";
import { MODAL_CALLBACK, NOTE_CALLBACK, readNote } from "../blocks/request-modal.ts";
import { mayPress, presserOf } from "../people/right-person.ts";
import { readSubmission, submissionErrors } from "../answers/submission.ts";
import { suggestOptions } from "../answers/suggestions.ts";
import { type Asked, type SurfaceContext, askedOf } from "./surface-context.ts";
import { isThirdParty } from "../../../src/contract/claimed-name.ts";
import { inMinutes } from "../../../src/words/language.ts";

/** The id of the request in a modal of the kit, from an interaction. `undefined`: it is not a modal of the kit. */
export function requestIdOf({ view }: SlackBody): string | undefined {
  const name = field(view, "callback_id");
  return CALLBACKS.has(name) ? field(view, "private_metadata") : undefined;
}

const CALLBACKS: ReadonlySet<string | undefined> = new Set([MODAL_CALLBACK, NOTE_CALLBACK, GIVE_CALLBACK]);

/** Whether the modal is the one of a decline with a note. */
function isNote({ view }: SlackBody): boolean {
  return field(view, "callback_id") === NOTE_CALLBACK;
}

/** Whether the modal is the one that gives the question to somebody else. */
function isGiving({ view }: SlackBody): boolean {
  return field(view, "callback_id") === GIVE_CALLBACK;
}

/** What a submitted modal says while Slack waits too long for its result, and then, if it was taken. */
export function lateWords(
  body: SlackBody,
  { catalogue, words }: SlackLanguage,
): { readonly waiting: string; readonly taken: string } {
  if (isGiving(body)) {
    const taken = catalogue.others.givenTo(chosenLabel(stateValues(body["view"])) ?? "");
    return { waiting: catalogue.checking, taken };
  }
  const outcome = isNote(body) ? "declined" : "accepted";
  return { waiting: words.sending, taken: catalogue.receipt("form", outcome) };
}

interface Shown<Request> {
  readonly asked: Asked;
  readonly request: Request;
}

/** The open request of a modal, if the user of the modal is the one who was asked. */
async function openQuestion(
  context: SurfaceContext,
  body: SlackBody,
  elicitationId: string,
): Promise<Shown<ElicitationRequest> | undefined> {
  const presser = presserOf(body);
  const asked = await askedOf(context, elicitationId);
  if (presser === undefined || asked === undefined || mayPress(presser, asked.person) !== "yes")
    return undefined;
  const request = (await asked.turn.open()).find((one) => one.elicitationId === elicitationId);
  return request && { asked, request };
}

async function openForm(
  context: SurfaceContext,
  body: SlackBody,
  elicitationId: string,
): Promise<Shown<FormElicitationRequest> | undefined> {
  const { asked, request } = (await openQuestion(context, body, elicitationId)) ?? {};
  return asked !== undefined && request?.mode === "form" ? { asked, request } : undefined;
}

/** Stores the typed values after every change of an input. Clicking the link is the consent to open its page. */
export async function onModalAction(
  context: SurfaceContext,
  body: SlackBody,
  elicitationId: string,
): Promise<void> {
  const actions: unknown[] = Array.isArray(body["actions"]) ? body["actions"] : [];
  const ids = actions.map((action) => field(action, "action_id"));
  const isTyping = ids.includes(FIELD_ACTION) || ids.includes(REMEMBER_ACTION);
  if (!isTyping && !ids.some((id) => buttonName(id) === "link")) return;
  const { asked, request } = (await openQuestion(context, body, elicitationId)) ?? {};
  if (isTyping && request?.mode === "form")
    await context.typed.keep(elicitationId, stateValues(body["view"]));
  if (!isTyping && request?.mode === "url")
    await asked?.turn.answer([{ elicitationId, action: "accept", acceptMeans: "consent" }]);
}

/** Answers the search of an external select. */
export async function onSuggestion(
  context: SurfaceContext,
  body: SlackBody,
  elicitationId: string,
): Promise<SlackReply> {
  const form = await openForm(context, body, elicitationId);
  if (form === undefined) return { options: [] };
  const language = await context.languageOf(presserOf(body) ?? { user: "", team: "" }, installationOf(body));
  return suggestOptions(form.request, body["block_id"], text(body["value"]) ?? "", language);
}

/** Takes a submitted modal. The reply closes it, shows errors beside inputs, or says that the question has ended. */
export async function onSubmission(
  context: SurfaceContext,
  body: SlackBody,
  elicitationId: string,
): Promise<SlackReply> {
  const presser = presserOf(body);
  const language = await context.languageOf(presser ?? { user: "", team: "" }, installationOf(body));
  const { catalogue, words } = language;
  const form = await openForm(context, body, elicitationId);
  if (form === undefined) return replacing(words.ended, language);
  if (isGiving(body)) return give(stateValues(body["view"]), form, language);
  if (isNote(body)) return declineWith(readNote(stateValues(body["view"])), form, language);
  // If Slack stops waiting and the answer is not accepted, the form opens again with the values.
  await context.typed.keep(elicitationId, stateValues(body["view"]));
  const { asked, request } = form;
  const read = readSubmission(request, stateValues(body["view"]), language);
  if (read === undefined) return replacing(catalogue.blockedForm, language);
  if (read.errors !== undefined) return { ...read.errors };

  const [result] = await asked.turn.answer([read.answer]);
  switch (result?.kind) {
    case "settled":
      await context.typed.forget(elicitationId);
      return {};
    case "invalid": {
      const shown = readForm(request);
      return { ...submissionErrors(shown.ok ? shown.fields : [], result.errors, language) };
    }
    default:
      return refusalOf(result, language);
  }
}

/** Why the answer of a modal does not count. */
function refusalOf(result: SurfaceAnswerResult | undefined, language: SlackLanguage): SlackReply {
  const { catalogue, words } = language;
  switch (result?.kind) {
    case "limited":
      return replacing(words.comeBack(result.retryAfter), language);
    case "assigned":
      return replacing(catalogue.others.waitsFor(result.name), language);
    default:
      return replacing(words.ended, language);
  }
}

/** The list is read again, because it may have changed while the modal was open. */
async function give(
  values: unknown,
  { asked, request }: Shown<FormElicitationRequest>,
  language: SlackLanguage,
): Promise<SlackReply> {
  const { elicitationId, assignee } = request;
  const { catalogue } = language;
  if (assignee !== undefined) return replacing(catalogue.others.waitsFor(assignee.name), language);
  const chosen = readChosen(values, await asked.turn.assignees(elicitationId));
  const result = chosen && (await asked.turn.assign(elicitationId, chosen.to));
  if (result === undefined || result.kind === "forbidden")
    return { response_action: "errors", errors: { [GIVE_BLOCK]: catalogue.didNotWork } };
  const words = handOverWords(result, language);
  return words === undefined ? {} : replacing(words, language);
}

/** The note is for the agent of this chat, never for a third party that asks through it. */
async function declineWith(
  note: string,
  { asked, request }: Shown<FormElicitationRequest>,
  language: SlackLanguage,
): Promise<SlackReply> {
  const { elicitationId } = request;
  const isRead = note !== "" && !isThirdParty(request);
  const [result] = await asked.turn.answer([{ elicitationId, action: "decline", ...(isRead && { note }) }]);
  return result?.kind === "settled" ? {} : refusalOf(result, language);
}

/** Replaces the modal with a sentence. */
export function replacing(words: string, { catalogue }: SlackLanguage): SlackReply {
  const view = {
    type: "modal",
    title: plainText(catalogue.title("form"), 24),
    close: plainText(catalogue.close, 24),
    blocks: [section(words)],
  };
  return { response_action: "update", view };
}

type HandOverResult = Awaited<ReturnType<SurfaceTurn["assign" | "remind" | "extend"]>>;

/** What the user reads after a press about who decides. `undefined`: the message of the request says it. */
export function handOverWords(
  result: HandOverResult,
  { catalogue, words }: SlackLanguage,
): string | undefined {
  const { others } = catalogue;
  switch (result.kind) {
    case "assigned":
    case "extended":
      return undefined;
    case "reminded":
      return others.reminded;
    case "too-soon":
      return others.tooSoon(inMinutes(result.retryAfterMs, catalogue.locale));
    case "limited":
      return words.comeBack(result.retryAfter);
    case "forbidden":
      return catalogue.didNotWork;
    default:
      return words.ended;
  }
}

/** For a user who presses a button of a question that waits for somebody else. */
export function waitsForWords(name: string, { catalogue }: SlackLanguage): string {
  return catalogue.others.waitsFor(escapeMrkdwn(name));
}
