import {
  type AnswerAck,
  type BindMessage,
  COMPLETION_MESSAGE_SOURCE,
  type CompletionMessage,
  type ElicitationRequest,
  type ElicitationResolution,
  type ElicitationResponse,
  type Problem,
  type StatusReport,
} from "./contract.ts";
import { isObject } from "./json.ts";
import { isTimestamp } from "./timestamp.ts";

/**
 * What a parser found: the very object that went in, now with its type, or why it does not fit. `reason` names the
 * path and what was expected there, for developers and logs; it never repeats a value.
 */
export type Parsed<T> = { ok: true; value: T } | { ok: false; reason: string };

const OUTCOME = "accepted|declined|cancelled|expired|withdrawn|failed";
const REQUEST =
  "type:elicitation-request elicitationId:id mode:url|form message context? requester? round? toolCallId? expiresAt?:timestamp progress? resolution? ";
const RESPONSE = "elicitationId:id action:accept|decline|cancel content?";
const ACK = "success:true elicitationId:id ";
const POSTED = `source:${COMPLETION_MESSAGE_SOURCE} version:1 elicitationId:id type:`;

const isText = (value: unknown): value is string => typeof value === "string";
const isListOf = (type: string) => (value: unknown) =>
  Array.isArray(value) && value.every((entry) => misfit(entry, type) === "");
const isTexts = isListOf("text");

/**
 * What a value can be: a test, or for objects their properties as `name:type`. A property without a type has the type
 * of its own name, if there is one, else it is text; one with a `?` may be absent; those that are not named are not
 * looked at. A type that is not here is a choice of literal strings.
 */
const TYPES: Readonly<Record<string, string | ((value: unknown) => boolean)>> = {
  text: isText,
  texts: isTexts,
  // Unreserved URL characters, but no path segment that a URL parser would resolve away.
  id: (value) => isText(value) && /^(?!\.+$)[\w.~-]+$/.test(value),
  timestamp: (value) => isText(value) && isTimestamp(value),
  url: (value) => isText(value) && URL.canParse(value),
  number: Number.isFinite,
  count: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  true: (value) => value === true,
  1: (value) => value === 1,
  record: isObject,
  content: (value) =>
    isObject(value) &&
    Object.values(value).every(
      (entry) => isText(entry) || typeof entry === "boolean" || Number.isFinite(entry) || isTexts(entry),
    ),
  errors: isListOf("error"),
  nothing: () => false,

  "url request": `${REQUEST}url acceptMeans?:completion|consent service? requestedSchema?:nothing`,
  "form request": `${REQUEST}requestedSchema:schema url?:nothing`,
  context: "trigger",
  requester: "name claimedName?",
  round: "id:text size:count",
  progress: "status:pending|consented|completed lastError?",
  service: "name iconDataUrl?",
  resolution: `outcome:${OUTCOME} at:timestamp reason?`,
  schema: "type:object properties:record required?:texts",
  accept: RESPONSE,
  refusal: `${RESPONSE}:nothing`,
  status: `elicitationId:id status:pending|consented|completed|${OUTCOME} lastError? expiresAt:timestamp now:timestamp`,
  "open ack": `${ACK}status:consented|pending lastError?`,
  ack: `${ACK}outcome:${OUTCOME} alreadyProcessed?:true`,
  problem: `title status:number detail code? outcome?:${OUTCOME} errors?`,
  error: "field code message",
  bind: `${POSTED}elicitation-bind challenge`,
  completion: `${POSTED}elicitation-complete|elicitation-failed`,
};

/** What the texts of `TYPES` name, each read once. */
const PROPERTIES: Record<string, readonly RegExpExecArray[]> = {};

/** Says where `value` does not fit and what was expected there; nothing ("") if it fits. */
function misfit(value: unknown, type: string): string {
  const rule = TYPES[type] ?? ((one) => type.split("|").some((literal) => literal === one));
  const unfit = `: expected ${type}`;
  if (!isText(rule)) return rule(value) ? "" : unfit;
  if (!isObject(value)) return unfit;
  for (const [, key = "", mark, part] of (PROPERTIES[rule] ??= [...rule.matchAll(/(\w+)(\?)?:?(\S*)/g)])) {
    if (mark && value[key] === undefined) continue;
    const reason = misfit(value[key], part || (TYPES[key] ? key : "text"));
    if (reason) return `.${key}${reason}`;
  }
  return "";
}

/** A parser of the type called `path`, or of the one that `choose` names. */
function parser<T>(
  path: string,
  choose: (value: Readonly<Record<string, unknown>>) => string = () => path,
): (value: unknown) => Parsed<T> {
  const reasonFor = (value: unknown) => misfit(value, choose(Object(value)));
  // The table above is the proof of `T`; `schema.test.ts` holds it against the zod schemas.
  const isFit = (value: unknown): value is T => reasonFor(value) === "";
  return (value) => (isFit(value) ? { ok: true, value } : { ok: false, reason: path + reasonFor(value) });
}

/**
 * A request as it comes over any wire (contract, section 1). Says that it is well-formed, not that its URL is safe or
 * its form can be shown: that is for `inspectUrl` and `parseRequestedSchema`. Like every parser here it takes any value,
 * throws nothing and copies nothing; properties it does not know stay where they are.
 *
 * @example
 * const parsed = parseElicitationRequest(JSON.parse(text));
 * if (parsed.ok) show(parsed.value);
 * else log(parsed.reason); // "request.url: expected url"
 */
export const parseElicitationRequest: (value: unknown) => Parsed<ElicitationRequest> = parser(
  "request",
  ({ mode }) => (mode === "form" ? "form request" : "url request"),
);
/**
 * A person's answer (contract, section 1). `content` comes with `accept` only; whether it fits the form is for
 * `checkContent` to say.
 */
export const parseElicitationResponse: (value: unknown) => Parsed<ElicitationResponse> = parser(
  "response",
  ({ action }) => (action === "accept" ? "accept" : "refusal"),
);
/** How a request ended (contract, section 1). */
export const parseResolution: (value: unknown) => Parsed<ElicitationResolution> = parser("resolution");
/** The body of `GET /run/api/elicitations/:id` (contract, section 4). */
export const parseStatusReport: (value: unknown) => Parsed<StatusReport> = parser("status");
/** What a server says to an answer that it took, with HTTP 200 or 202 (contract, section 4). */
export const parseAnswerAck: (value: unknown) => Parsed<AnswerAck> = parser("ack", (value) =>
  misfit(value, "open ack") ? "ack" : "open ack",
);
/** The problem+json body of a refusal (RFC 9457; contract, section 4). */
export const parseProblem: (value: unknown) => Parsed<Problem> = parser("problem");
/**
 * What a hosted page posts to its opener (contract, section 6). Check the sender's origin and window first: any page can
 * post this.
 */
export const parseCompletionMessage: (value: unknown) => Parsed<CompletionMessage | BindMessage> = parser(
  "message",
  ({ type }) => (type === "elicitation-bind" ? "bind" : "completion"),
);
