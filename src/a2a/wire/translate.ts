/**
 * The elicitation extension of A2A 1.0, in both directions (`docs/reference/a2a-extension.md`). Pure, and without the SDK: it reads
 * and writes `extensions` and `metadata` of messages, which are the same in JSON and in the SDK's objects.
 *
 * What is lost on the way:
 *
 * | from the contract to A2A | with the extension | without it |
 * | --- | --- | --- |
 * | mode `form` | kept | the message as text, the answer as text |
 * | mode `url` | kept | cannot be asked: only text |
 * | several requests at once | kept, if they have one mode | one after another |
 * | id of the request | kept, as the id of this hop | lost: the task id stands for it |
 * | accept, decline, cancel | kept; an accept of a page is not sent, the task continues by itself | no accept; both others are `CancelTask` |
 * | outcomes `expired`, `failed` | `cancel` | `CancelTask` |
 * | outcome `withdrawn` | `withdrawn`, or the task ends | the task ends |
 * | `requester`, `context`, `service`, `expiresAt`, `toolCallId` | lost | lost |
 * | `round` | lost: the requests of a status are a round | lost |
 */
import type {
  ElicitationOutcome,
  ElicitationResponse,
  FormElicitationRequest,
  UrlElicitationRequest,
} from "../../contract/contract.ts";
import { parseElicitationRequest, parseElicitationResponse } from "../../contract/guard.ts";
import { isObject } from "../../contract/json.ts";

/** URI of the extension: in the agent card, in `A2A-Extensions`, and in each message that uses it. */
export const ELICITATION_EXTENSION = "https://elicit-kit.dev/a2a/elicitation/v1";

/** The states of a task, without the prefixes of the wire. */
export type A2aTaskState =
  | "submitted"
  | "working"
  | "input-required"
  | "auth-required"
  | "completed"
  | "failed"
  | "canceled"
  | "rejected";

/** A request of an agent, with the agent's own id. */
export type A2aQuestion =
  | Pick<FormElicitationRequest, "elicitationId" | "mode" | "message" | "requestedSchema">
  | Pick<UrlElicitationRequest, "elicitationId" | "mode" | "message" | "url">;

/** The parts of an A2A message that the extension uses. */
export interface A2aCarrier {
  readonly extensions?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** A message with a payload of the extension, and its text for users and for clients without the extension. */
export interface A2aExtended {
  readonly text: string;
  readonly extensions: string[];
  readonly metadata: Record<string, unknown>;
}

/** The result of reading, or the reason why it failed: the path and the expected type, never a value. */
export type A2aRead<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** The modes in which a client can ask its user. */
export type A2aModes = Readonly<Record<"url" | "form", boolean>>;

/** The largest number of requests in one status, and of answers in one message. */
const MAX_BATCH = 10;
const MODE_OF = { "input-required": "form", "auth-required": "url" } as const;
const STATE_OF = { form: "input-required", url: "auth-required" } as const;

/**
 * Reads the requests of a status. `undefined` if it has no payload of the extension. Treat a payload that cannot be read
 * as absent.
 */
export function readQuestions(
  state: A2aTaskState,
  message: A2aCarrier | undefined,
): A2aRead<readonly A2aQuestion[]> | undefined {
  const payload = payloadOf(message);
  if (payload === undefined || (state !== "input-required" && state !== "auth-required")) return undefined;
  const listed = listOf(payload, "requests");
  if (!listed.ok) return listed;
  const mode = MODE_OF[state];
  const questions: A2aQuestion[] = [];
  for (const [index, entry] of listed.value.entries()) {
    const parsed = parseElicitationRequest({ ...entry, type: "elicitation-request" });
    if (!parsed.ok) return unreadable(`requests[${index}]${parsed.reason.slice("request".length)}`);
    if (parsed.value.mode !== mode)
      return unreadable(`requests[${index}].mode: expected ${mode} in ${state}`);
    questions.push(questionOf(parsed.value));
  }
  return unique(questions, "requests");
}

/** Reads the ids that the agent withdraws with a status. Other requests of the task stay open. */
export function readWithdrawn(message: A2aCarrier | undefined): readonly string[] {
  const withdrawn = payloadOf(message)?.["withdrawn"];
  return Array.isArray(withdrawn) ? withdrawn.filter((id) => typeof id === "string").slice(0, MAX_BATCH) : [];
}

/**
 * Writes requests as the status of a task, with the ids that it withdraws. The requests must have one mode, because a task
 * has one state.
 */
export function writeQuestions(
  questions: readonly A2aQuestion[],
  withdrawn: readonly string[] = [],
): A2aRead<A2aExtended & { readonly state: "input-required" | "auth-required" }> {
  const [first] = questions;
  if (first === undefined || questions.length > MAX_BATCH) {
    return unreadable(`questions: expected 1 to ${MAX_BATCH}`);
  }
  if (questions.some(({ mode }) => mode !== first.mode)) {
    return unreadable("questions: expected one mode for all, because a task has one state");
  }
  const checked = unique(questions, "questions");
  if (!checked.ok) return checked;
  const text = questions.map(textOf).join("\n\n");
  const requests = questions.map(questionOf);
  const extended = extend(text, { requests, ...(withdrawn.length > 0 && { withdrawn: [...withdrawn] }) });
  return { ok: true, value: { state: STATE_OF[first.mode], ...extended } };
}

/** Writes a status that withdraws requests. */
export function writeWithdrawn(ids: readonly string[]): A2aExtended {
  return extend("The question is withdrawn.", { withdrawn: [...ids] });
}

/** Reads the answers of a client. `undefined` if the message has no payload of the extension. */
export function readAnswers(message: A2aCarrier): A2aRead<readonly ElicitationResponse[]> | undefined {
  const payload = payloadOf(message);
  if (payload === undefined || !Object.hasOwn(payload, "responses")) return undefined;
  const listed = listOf(payload, "responses");
  if (!listed.ok) return listed;
  const answers: ElicitationResponse[] = [];
  for (const [index, entry] of listed.value.entries()) {
    const parsed = parseElicitationResponse(entry);
    if (!parsed.ok) return unreadable(`responses[${index}]${parsed.reason.slice("response".length)}`);
    answers.push(answerOf(parsed.value));
  }
  return unique(answers, "responses");
}

/** Writes answers as a message of a client. */
export function writeAnswers(answers: readonly ElicitationResponse[]): A2aExtended {
  const text = answers.map(({ action }) => `[elicitation ${action}]`).join("\n");
  return extend(text, { responses: answers.map(answerOf) });
}

/** Writes the payload of a client's first message: the modes in which its user can be asked. */
export function writeModes(modes: A2aModes): Pick<A2aExtended, "extensions" | "metadata"> {
  const { extensions, metadata } = extend("", {
    modes: (["form", "url"] as const).filter((mode) => modes[mode]),
  });
  return { extensions, metadata };
}

/** Reads the modes that a client has named. A client that names none can be asked in both. */
export function readModes(message: A2aCarrier): A2aModes {
  const modes = payloadOf(message)?.["modes"];
  if (!Array.isArray(modes)) return { form: true, url: true };
  return { form: modes.includes("form"), url: modes.includes("url") };
}

/** Returns the action that reports the outcome of a request to an agent. */
export function actionOf(outcome: ElicitationOutcome): ElicitationResponse["action"] {
  if (outcome === "accepted") return "accept";
  return outcome === "declined" ? "decline" : "cancel";
}

/** The payload of an extension. */
export function payloadOf(
  message: A2aCarrier | undefined,
  uri: string = ELICITATION_EXTENSION,
): Readonly<Record<string, unknown>> | undefined {
  const { extensions, metadata } = message ?? {};
  // A payload in the metadata is not enough: the message must also name the extension.
  if (!Array.isArray(extensions) || !extensions.includes(uri)) return undefined;
  const payload = isObject(metadata) ? metadata[uri] : undefined;
  return isObject(payload) ? payload : undefined;
}

function listOf(
  payload: Readonly<Record<string, unknown>>,
  name: string,
): A2aRead<readonly Readonly<Record<string, unknown>>[]> {
  const list = payload[name];
  if (Array.isArray(list) && list.length > 0 && list.length <= MAX_BATCH && list.every(isObject)) {
    return { ok: true, value: list };
  }
  return unreadable(`${name}: expected 1 to ${MAX_BATCH} objects`);
}

function unique<T extends { readonly elicitationId: string }>(
  entries: readonly T[],
  name: string,
): A2aRead<readonly T[]> {
  const ids = new Set(entries.map(({ elicitationId }) => elicitationId));
  return ids.size === entries.length
    ? { ok: true, value: entries }
    : unreadable(`${name}: expected each elicitationId once`);
}

/** Copies only the fields of the extension. */
function questionOf(question: A2aQuestion): A2aQuestion {
  const { elicitationId, message } = question;
  if (question.mode === "url") return { elicitationId, mode: "url", message, url: question.url };
  return { elicitationId, mode: "form", message, requestedSchema: question.requestedSchema };
}

function answerOf({ elicitationId, action, content }: ElicitationResponse): ElicitationResponse {
  return { elicitationId, action, ...(content !== undefined && { content }) };
}

function textOf(question: A2aQuestion): string {
  return question.mode === "url" ? `${question.message}\n${question.url}` : question.message;
}

function extend(text: string, payload: Readonly<Record<string, unknown>>): A2aExtended {
  return {
    text,
    extensions: [ELICITATION_EXTENSION],
    metadata: { [ELICITATION_EXTENSION]: payload },
  };
}

function unreadable(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
