import type { ElicitationRequest } from "../../../src/contract/contract.ts";
import {
  type SurfaceAnswer,
  type SurfaceAnswerResult,
  currentRequest,
} from "../../../src/runtime/internal.ts";
import { type ButtonName, buttonName, mention } from "../blocks/block.ts";
import { givenAnswers } from "../answers/submission.ts";
import { type SlackLanguage, escapeMrkdwn } from "../blocks/text.ts";
import {
  type SlackInstallation,
  installationOf,
  type SlackBody,
  field,
  stateValues,
  text,
} from "../wire/payload.ts";
import { updateQuestion } from "../thread/question-messages.ts";
import type { SlackModal } from "../blocks/block.ts";
import { loneYesNo, readForm } from "../blocks/form-fields.ts";
import { readRemember } from "../blocks/remember-box.ts";
import { giveModal } from "../blocks/give-modal.ts";
import { requestMessage } from "../blocks/request-message.ts";
import { noteModal, requestModal } from "../blocks/request-modal.ts";
import { type SlackPerson, mayPress, presserOf } from "../people/right-person.ts";
import { handOverWords, waitsForWords } from "./modal-events.ts";
import { type Asked, type SurfaceContext, askedOf, whisper } from "./surface-context.ts";
import { SlackApiError, type SlackClient } from "../wire/web-client.ts";

/** Opening a modal must not wait for a rate limit, because its trigger expires after three seconds. */
const OPEN_WAIT_MS = 1000;

/** One click on a button of a request. */
interface Press {
  readonly name: ButtonName;
  /** The id of the request, or for `forget` the id of the remembered answer. */
  readonly value: string;
  readonly presser: SlackPerson;
  readonly triggerId: string;
  readonly channel: string;
  /** The message with the button. */
  readonly ts: string;
  readonly thread: string | undefined;
  /** Whether the checkbox of that message is checked: the answer may be reused. */
  readonly remember: boolean;
  readonly installation: SlackInstallation;
  readonly client: SlackClient;
}

/** Handles a click on a button of a message. */
export async function onClick(context: SurfaceContext, body: SlackBody): Promise<void> {
  const actions: unknown[] = Array.isArray(body["actions"]) ? body["actions"] : [];
  for (const action of actions) {
    const name = buttonName(field(action, "action_id"));
    const value = field(action, "value");
    if (name === undefined || value === undefined) continue;
    const press = await readPress(context, body, name, value);
    if (press !== undefined) await handle(context, press);
    return;
  }
}

async function readPress(
  context: SurfaceContext,
  body: SlackBody,
  name: ButtonName,
  value: string,
): Promise<Press | undefined> {
  const { container, channel, message } = body;
  const presser = presserOf(body);
  const channelId = field(channel, "id");
  const ts = field(container, "message_ts");
  if (presser === undefined || channelId === undefined || ts === undefined) return undefined;
  const installation = installationOf(body);
  return {
    name,
    value,
    presser,
    ts,
    channel: channelId,
    triggerId: text(body["trigger_id"]) ?? "",
    thread: field(message, "thread_ts"),
    remember: readRemember(stateValues(body)),
    installation,
    client: await context.clientOf(installation),
  };
}

async function handle(context: SurfaceContext, press: Press): Promise<void> {
  if (press.name === "forget") return forget(context, press);
  const { value: elicitationId, presser } = press;
  // In parallel, because a form must open within three seconds.
  const [asked, language] = await Promise.all([
    askedOf(context, elicitationId),
    context.languageOf(presser, press.installation),
  ]);
  if (asked === undefined) return press.name === "link" ? undefined : tellEnded(context, press, language);
  if (mayPress(presser, asked.person) !== "yes") {
    return press.name === "link"
      ? undefined
      : tell(context, press, language.words.notYours(mention(asked.person.user)));
  }
  const request = (await asked.turn.open()).find((one) => one.elicitationId === elicitationId);
  if (request === undefined) return tellEnded(context, press, language, asked);
  if (
    press.name === "give" ||
    press.name === "take-back" ||
    press.name === "remind" ||
    press.name === "extend"
  )
    return handOver(context, press, request, language, asked);
  // From a client that still shows an outdated message.
  if (request.assignee !== undefined && press.name !== "link")
    return tell(context, press, waitsForWords(request.assignee.name, language));
  if (press.name === "answer") return openRequest(context, press, request, language);
  if (press.name === "note") return openModal(context, press, noteModal(request, language), language);
  // A click that opens the page is the consent to open it. The message then asks whether the user has finished.
  if (press.name === "link") return request.mode === "url" ? consent(asked, elicitationId) : undefined;
  const answer = answerOf(request, press.name, press.remember);
  if (answer === undefined) return undefined;
  const [result] = await asked.turn.answer([answer]);
  return tellResult(context, press, result, language, asked);
}

/**
 * Deletes the remembered answer of the user who clicks, even if its request no longer exists. Never one of another user.
 */
async function forget(context: SurfaceContext, press: Press): Promise<void> {
  const { presser, installation, value } = press;
  const [user, language] = await Promise.all([
    context.userOf(presser),
    context.languageOf(presser, installation),
  ]);
  if (user === undefined) return tell(context, press, language.words.unknownPerson);
  await context.runtime.elicitations.remembered?.remove(user.id, value);
  return tell(context, press, language.catalogue.remember.willAsk);
}

/** A press about who decides. The message then shows who it is. */
async function handOver(
  context: SurfaceContext,
  press: Press,
  request: ElicitationRequest,
  language: SlackLanguage,
  asked: Asked,
): Promise<void> {
  const { elicitationId, assignee } = request;
  if (press.name === "give") {
    if (assignee !== undefined) return tell(context, press, waitsForWords(assignee.name, language));
    const choices = await asked.turn.assignees(elicitationId);
    if (choices.length === 0) return tell(context, press, language.catalogue.didNotWork);
    return openModal(context, press, giveModal(request, choices, language), language);
  }
  const { turn } = asked;
  const result =
    press.name === "extend"
      ? await turn.extend(elicitationId)
      : press.name === "remind"
        ? await turn.remind(elicitationId)
        : await turn.assign(elicitationId, undefined);
  if (result.kind === "ended" || result.kind === "unknown") return tellEnded(context, press, language, asked);
  const words = handOverWords(result, language);
  return words === undefined ? undefined : tell(context, press, words);
}

async function consent({ turn }: Asked, elicitationId: string): Promise<void> {
  await turn.answer([{ elicitationId, action: "accept", acceptMeans: "consent" }]);
}

/** `undefined`: the request has no such button. */
function answerOf(
  request: ElicitationRequest,
  name: Exclude<
    ButtonName,
    "answer" | "note" | "link" | "forget" | "give" | "take-back" | "remind" | "extend"
  >,
  isTicked: boolean,
): SurfaceAnswer | undefined {
  const { elicitationId } = request;
  const remember = isTicked && request.mode === "form" && request.remember !== undefined;
  if (name === "accept") return { elicitationId, action: name, ...(remember && { remember }) };
  if (name === "delegate") {
    return request.delegate && { elicitationId, action: "accept", delegated: request.delegate };
  }
  if (name !== "yes" && name !== "no") return { elicitationId, action: name };
  const asked = request.mode === "form" ? loneYesNo(readForm(request)) : undefined;
  const content = asked && { [asked.name]: name === "yes" };
  return content && { elicitationId, action: "accept", content, ...(remember && { remember }) };
}

async function openRequest(
  context: SurfaceContext,
  press: Press,
  request: ElicitationRequest,
  language: SlackLanguage,
): Promise<void> {
  const { catalogue } = language;
  const typed = await context.typed.typedFor(request);
  const made = requestModal(request, { language, ...typed });
  if (!made.ok)
    return tell(context, press, request.mode === "form" ? catalogue.blockedForm : catalogue.blockedUrl);
  return openModal(context, press, made.view, language);
}

async function openModal(
  context: SurfaceContext,
  press: Press,
  view: SlackModal,
  { words }: SlackLanguage,
): Promise<void> {
  try {
    const args = { trigger_id: press.triggerId, view };
    await press.client.call("views.open", args, { maxWaitMs: OPEN_WAIT_MS });
  } catch (error) {
    if (!(error instanceof SlackApiError)) throw error;
    if (error.code !== "expired_trigger_id") context.onError(error);
    await tell(context, press, words.pressAgain);
  }
}

async function tellResult(
  context: SurfaceContext,
  press: Press,
  result: SurfaceAnswerResult | undefined,
  language: SlackLanguage,
  asked: Asked,
): Promise<void> {
  const { catalogue, words } = language;
  switch (result?.kind) {
    case "settled":
    case "consented":
      return undefined;
    case "pending": {
      const why = result.lastError === undefined ? "" : ` ${escapeMrkdwn(result.lastError)}`;
      return tell(context, press, catalogue.notices["not-completed"] + why);
    }
    case "limited":
      return tell(context, press, words.comeBack(result.retryAfter));
    case "assigned":
      return tell(context, press, waitsForWords(result.name, language));
    case "invalid":
      return tell(context, press, words.failed);
    default:
      return tellEnded(context, press, language, asked);
  }
}

async function tell(context: SurfaceContext, press: Press, words: string): Promise<void> {
  const { channel, thread, presser, client } = press;
  await whisper(context, client, { channel, thread, user: presser.user }, words);
}

/** Updates the message to the record's state, because the message may be older than the process, and informs the user. */
async function tellEnded(
  context: SurfaceContext,
  press: Press,
  language: SlackLanguage,
  asked?: Asked,
): Promise<void> {
  const record = await context.runtime.elicitations.get(press.value);
  // A message of another app of the runtime must not be changed here.
  const request = record?.surface === context.kind ? currentRequest(record) : undefined;
  if (request?.resolution !== undefined) {
    const { clock } = context;
    const answers = asked && (await givenAnswers(asked.turn, request, { clock, language }));
    const message = requestMessage(request, { language, person: asked?.person.user, answers });
    const { channel, ts } = press;
    await updateQuestion(press.client, { channel, ts }, message).catch(context.onError);
  }
  await tell(context, press, language.words.ended);
}
