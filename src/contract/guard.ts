import {
  type AnswerAck,
  type ElicitationOutcome,
  type ElicitationRequest,
  type ElicitationResolution,
  type ElicitationResponse,
  type Problem,
  type StatusReport,
} from "./contract.ts";
import { type BindMessage, COMPLETION_MESSAGE_SOURCE, type CompletionMessage } from "./window-messages.ts";
import { isObject } from "./json.ts";
import { isTimestamp } from "./timestamp.ts";

/**
 * The result of a parser: the same object, now typed, or the reason why it is invalid. `reason` contains the path and the
 * expected type, for developers and logs. It never contains a value.
 */
export type Parsed<T> = { ok: true; value: T } | { ok: false; reason: string };

/** Returns `""` if the value is valid, else the path and the expected type, as in ".mode: expected url|form". */
type Check = (value: unknown) => string;

const is =
  (expected: string, test: (value: unknown) => boolean): Check =>
  (value) =>
    test(value) ? "" : `: expected ${expected}`;
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? "" : check(value);
const oneOf = (...literals: readonly unknown[]) =>
  is(literals.join("|"), (value) => literals.includes(value));
const listOf = (expected: string, check: Check) =>
  is(expected, (value) => Array.isArray(value) && value.every((entry) => !check(entry)));
/** Ignores properties that are not named. */
const object =
  (properties: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (!isObject(value)) return ": expected object";
    for (const [key, check] of Object.entries(properties)) {
      const reason = check(value[key]);
      if (reason) return `.${key}${reason}`;
    }
    return "";
  };

const isText = (value: unknown): value is string => typeof value === "string";
/** Counts code points, as JSON Schema does for `maxLength`. */
const isShort = (value: unknown): value is string => isText(value) && /^.{0,8192}$/su.test(value);

const text = is("text", isText);
const note = is("text of at most 500 characters", (value) => isText(value) && /^.{0,500}$/su.test(value));
const texts = listOf("list of texts", text);
const optionalText = optional(text);
// No invisible characters, and no path segment that a URL parser would resolve. The first expression makes the first card
// of a page faster: a Unicode property takes half a millisecond to compile, and most ids are ASCII.
const elicitationId = is(
  "id",
  (value) =>
    isText(value) &&
    (/^(?!\.+$)[ -~]{1,256}$/.test(value) || /^(?!\.+$)[^\p{Cc}\p{Cf}\p{Cs}]{1,256}$/u.test(value)),
);
const timestamp = is("timestamp", (value) => isText(value) && isTimestamp(value));
const count = is("count", (value) => Number.isSafeInteger(value) && Number(value) > 0);
const content = is(
  "content",
  (value) =>
    isObject(value) &&
    Object.values(value).every(
      (entry) => isText(entry) || typeof entry === "boolean" || Number.isFinite(entry) || !texts(entry),
    ),
);
const nothing = optional(is("nothing", () => false));

const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn", "failed"];
const outcome = oneOf(...OUTCOMES);

/** Whether a value is one of the six outcomes of a request. */
export function isOutcome(value: unknown): value is ElicitationOutcome {
  return OUTCOMES.some((known) => known === value);
}
const resolution = object({
  outcome,
  at: timestamp,
  reason: optionalText,
  account: optionalText,
  remembered: optional(elicitationId),
  by: optionalText,
  delegated: optional(oneOf(true)),
});

const flag = optional(oneOf(true, false));

const request = {
  type: oneOf("elicitation-request"),
  elicitationId,
  mode: oneOf("url", "form"),
  message: is("text of at most 8192 characters", isShort),
  context: optional(object({ trigger: text })),
  requester: optional(object({ name: text, claimedName: optionalText })),
  round: optional(object({ id: text, size: count })),
  toolCallId: optionalText,
  assignee: optional(object({ name: text, takeBack: flag, remind: flag })),
  from: optional(object({ name: text })),
  giveOn: flag,
  expiresAt: optional(timestamp),
  extendableUntil: optional(timestamp),
  progress: optional(
    object({ status: oneOf("pending", "consented", "completed"), lastError: optionalText, byUser: flag }),
  ),
  resolution: optional(resolution),
};
const urlRequest = object({
  ...request,
  url: is("url of at most 8192 characters", (value) => isShort(value) && URL.canParse(value)),
  acceptMeans: optional(oneOf("completion", "consent")),
  service: optional(object({ name: text, iconDataUrl: optionalText })),
  purpose: optionalText,
  requestedSchema: nothing,
  remember: nothing,
  delegate: nothing,
});
const formRequest = object({
  ...request,
  requestedSchema: object({
    type: oneOf("object"),
    properties: is("object", isObject),
    required: optional(texts),
  }),
  remember: optional(object({ days: count, kind: optionalText, scope: optionalText })),
  delegate: optional(oneOf(true)),
  url: nothing,
});

const answer = { elicitationId, action: oneOf("accept", "decline", "cancel") };
const accept = object({
  ...answer,
  content: optional(content),
  note: nothing,
  remember: optional(oneOf(true, false)),
  delegated: nothing,
});
const delegation = object({
  ...answer,
  content: nothing,
  note: nothing,
  remember: nothing,
  delegated: oneOf(true),
});
const noAccept = { ...answer, content: nothing, remember: nothing, delegated: nothing };
const decline = object({ ...noAccept, note: optional(note) });
const cancel = object({ ...noAccept, note: nothing });

const status = object({
  elicitationId,
  status: oneOf("pending", "consented", "completed", ...OUTCOMES),
  lastError: optionalText,
  byUser: flag,
  expiresAt: timestamp,
  now: timestamp,
});

const received = { success: oneOf(true), elicitationId };
const openAck = object({
  ...received,
  status: oneOf("consented", "pending"),
  lastError: optionalText,
  byUser: flag,
});
const ack = object({ ...received, outcome, alreadyProcessed: optional(oneOf(true)) });

const problem = object({
  title: text,
  status: is("number", Number.isFinite),
  detail: text,
  code: optionalText,
  outcome: optional(outcome),
  errors: optional(listOf("list of errors", object({ field: text, code: text, message: text }))),
});

const posted = { source: oneOf(COMPLETION_MESSAGE_SOURCE), version: oneOf(1), elicitationId };
const bind = object({ ...posted, type: oneOf("elicitation-bind"), challenge: text });
const completion = object({
  ...posted,
  type: oneOf("elicitation-complete", "elicitation-failed"),
});

/** Checks a value with the check that its own properties select. */
const choose =
  (by: (value: Readonly<Record<string, unknown>>) => Check): Check =>
  (value) =>
    by(Object(value))(value);

/** Each reason begins with `name`. `schema.test.ts` proves that `check` accepts the same values as the zod schema of `T`. */
function parser<T>(name: string, check: Check): (value: unknown) => Parsed<T> {
  const isFit = (value: unknown): value is T => !check(value);
  return (value) => (isFit(value) ? { ok: true, value } : { ok: false, reason: name + check(value) });
}

/**
 * Checks that a value is a well-formed request (contract, section 1). Whether its URL is safe and its form can be shown
 * is decided by `inspectUrl` and `parseRequestedSchema`. Like every parser here it accepts any value, never throws,
 * copies nothing and keeps unknown properties.
 *
 * @example
 * const parsed = parseElicitationRequest(JSON.parse(text));
 * if (parsed.ok) show(parsed.value);
 * else log(parsed.reason); // "request.mode: expected url|form"
 */
export const parseElicitationRequest: (value: unknown) => Parsed<ElicitationRequest> = parser(
  "request",
  choose(({ mode }) => (mode === "form" ? formRequest : urlRequest)),
);
/**
 * A user's answer (contract, section 1). `content` is allowed only with `accept`, and not with `delegated`. `checkContent`
 * checks whether it fits the form.
 */
export const parseElicitationResponse: (value: unknown) => Parsed<ElicitationResponse> = parser(
  "response",
  choose(({ action, delegated }) => {
    if (action === "accept") return delegated === undefined ? accept : delegation;
    return action === "decline" ? decline : cancel;
  }),
);
/** How a request ended (contract, section 1). */
export const parseResolution: (value: unknown) => Parsed<ElicitationResolution> = parser(
  "resolution",
  resolution,
);
/** The body of `GET /run/api/elicitations/:id` (contract, section 4). */
export const parseStatusReport: (value: unknown) => Parsed<StatusReport> = parser("status", status);
/** The server's reply to an answer that it took, with HTTP 200 or 202 (contract, section 4). */
export const parseAnswerAck: (value: unknown) => Parsed<AnswerAck> = parser(
  "ack",
  choose((value) => (openAck(value) ? ack : openAck)),
);
/** The problem+json body of a refusal (RFC 9457; contract, section 4). */
export const parseProblem: (value: unknown) => Parsed<Problem> = parser("problem", problem);
/**
 * A message from a hosted page to its opener (contract, section 6). Check the sender's origin and window first, because
 * any page can post this.
 */
export const parseCompletionMessage: (value: unknown) => Parsed<CompletionMessage | BindMessage> = parser(
  "message",
  choose(({ type }) => (type === "elicitation-bind" ? bind : completion)),
);
