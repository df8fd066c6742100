/**
 * Elicitation between AG-UI 1.0 and the contract, in both directions. Pure, and without the SDK, so that the channel and
 * the surface can share it. Interrupts and resume entries have the same shape in the 0.0.59 that CopilotKit 1.74 uses.
 *
 * What is lost on the way:
 *
 * | from the contract to AG-UI | what becomes of it |
 * | --- | --- |
 * | mode `url` | reason {@link URL_REASON}, with the URL in `metadata`: AG-UI has no such mode |
 * | a mode that the client cannot show | reason `confirmation`, with a link in the message |
 * | `requester`, `context`, `service`, `acceptMeans`, `progress` | in `metadata`, under {@link METADATA_KEY} |
 * | `decline` | `cancelled`, with `action: "decline"` in the metadata of the entry |
 * | how a page has ended, while its run continues | a `CUSTOM` event, `elicit-kit:elicitation_resolved` |
 * | another outcome that comes from elsewhere | lost: the run continues, or its next interrupts do not have it |
 *
 * | from AG-UI to the contract | what becomes of it |
 * | --- | --- |
 * | `id` | not forwarded: the channel makes its own id |
 * | a `responseSchema` that is not an object | a form with one question, whose answer is the payload |
 * | no `responseSchema`, reason `confirmation` or `tool_call` | a form without questions; the payload is `{ approved }`, also for a decline |
 * | no `responseSchema`, any other reason | a form with one text, which is the payload |
 * | no `message` | the words in the metadata of LangGraph and Mastra |
 * | `subagentRunId`, `service` | lost |
 */
import type {
  ElicitationAction,
  ElicitationContent,
  ElicitationOutcome,
  ElicitationRequest,
  RequestedSchema,
} from "../../../src/contract/contract.ts";
import { claimedNameOf } from "../../../src/contract/claimed-name.ts";
import { isOutcome, parseElicitationRequest } from "../../../src/contract/guard.ts";
import { isObject } from "../../../src/contract/json.ts";
import { isTimestamp } from "../../../src/contract/timestamp.ts";
import { messageOf } from "./message.ts";

/** The key in `metadata` of interrupts and resume entries for data that AG-UI has no field for. */
export const METADATA_KEY = "elicit-kit";
/** The reason of an interrupt that asks the user to open a page. */
export const URL_REASON = "elicit-kit:elicitation_url";
/** The name of the `CUSTOM` event that reports the outcome of a page while the run continues. */
const RESOLVED_EVENT = "elicit-kit:elicitation_resolved";

/** A pause of a run, as it is on the wire. */
export interface AgUiInterrupt {
  id: string;
  reason: string;
  message?: string | undefined;
  toolCallId?: string | undefined;
  responseSchema?: Record<string, unknown> | undefined;
  expiresAt?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** The answer to an interrupt, as it is on the wire. */
export interface AgUiResumeEntry {
  interruptId: string;
  status: "resolved" | "cancelled";
  payload?: unknown;
  metadata?: Record<string, unknown>;
}

/** An interrupt, as a client reads it. */
export interface AgUiQuestion {
  readonly request: ElicitationRequest;
  readonly interrupt: AgUiInterrupt;
  /** Equal for an interrupt that is reported again, so that a page stays one card. */
  readonly key: string;
  /** How the payload of an accept is built: the content, the answer to the only question, or `{ approved: true }`. */
  readonly answerAs: "content" | "value" | "approval";
}

/** An answer of a client, as a surface reads it. */
export interface AgUiAnswer {
  readonly elicitationId: string;
  readonly action: ElicitationAction;
  readonly content?: unknown;
  /** The position in the turn's log up to which the client has read. */
  readonly after: number | undefined;
}

/** The name of the only question in a form that stands for a non-object schema, or for no schema. */
const ONE = "response";
const NO_MESSAGE = "The agent waits for your answer.";
const MAX_MESSAGE_LENGTH = 8000;
/** The form of an interrupt that cannot be shown. */
export const UNREADABLE = { type: "object", properties: { [ONE]: {} } } as const;

/**
 * Reads an interrupt, for a client. An unreadable interrupt becomes a form that cannot be shown. The thread continues
 * when the user dismisses it.
 */
export function readInterrupt(
  interrupt: AgUiInterrupt,
  elicitationId: string,
  agentName: string,
): AgUiQuestion {
  const { id, reason, toolCallId, expiresAt } = interrupt;
  const message = messageOf(interrupt).slice(0, MAX_MESSAGE_LENGTH);
  const ours = objectOf(objectOf(interrupt.metadata)[METADATA_KEY]);
  const isUrl = reason === URL_REASON || ours["mode"] === "url";
  const asked = isUrl ? undefined : formOf(interrupt);
  const common = {
    type: "elicitation-request" as const,
    elicitationId,
    message: message === "" ? NO_MESSAGE : message,
    requester: { name: agentName, ...claimOf(ours["requester"]) },
    context: { trigger: "ag_ui_interrupt", reason },
    ...(typeof toolCallId === "string" && { toolCallId }),
    ...(typeof expiresAt === "string" && isTimestamp(expiresAt) && { expiresAt }),
  };
  const read = parseElicitationRequest({
    ...common,
    ...(asked === undefined
      ? {
          mode: "url",
          url: ours["url"],
          acceptMeans: ours["acceptMeans"] === "consent" ? "consent" : "completion",
          ...(typeof ours["purpose"] === "string" && { purpose: ours["purpose"] }),
          ...(isObject(ours["progress"]) && { progress: ours["progress"] }),
        }
      : { mode: "form", requestedSchema: asked.schema }),
  });
  const known = ours["elicitationId"];
  return {
    request: read.ok ? read.value : { ...common, mode: "form", requestedSchema: UNREADABLE },
    interrupt,
    key: typeof known === "string" ? known : id,
    answerAs: asked?.answerAs ?? "content",
  };
}

/**
 * Writes an interrupt, for a surface. `seq`: the position in the turn's log up to which the client has read. `link`:
 * where the user answers a request that the client cannot show. The interrupt then asks whether the user has finished
 * there.
 */
export function writeInterrupt(
  request: ElicitationRequest,
  seq: number | undefined,
  link?: string,
): AgUiInterrupt {
  const { elicitationId, mode, message, toolCallId, expiresAt, requester, context, progress } = request;
  const common = {
    id: seq === undefined ? elicitationId : `${elicitationId}.${seq}`,
    ...(toolCallId !== undefined && { toolCallId }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  const known = { elicitationId, requester, context };
  if (link !== undefined) {
    const metadata = { [METADATA_KEY]: withoutUndefined(known) };
    return { ...common, reason: "confirmation", message: `${message}\n\n${link}`, metadata };
  }
  const isUrl = mode === "url";
  const page = isUrl
    ? {
        url: request.url,
        acceptMeans: request.acceptMeans,
        service: request.service,
        purpose: request.purpose,
      }
    : {};
  return {
    ...common,
    reason: isUrl ? URL_REASON : "input_required",
    message,
    ...(!isUrl && { responseSchema: { ...request.requestedSchema } }),
    metadata: { [METADATA_KEY]: withoutUndefined({ ...known, mode, progress, ...page }) },
  };
}

/** Writes the outcome of a page as an event of a run. */
export function writeResolved({ elicitationId, resolution }: ElicitationRequest) {
  return { type: "CUSTOM", name: RESOLVED_EVENT, value: { elicitationId, outcome: resolution?.outcome } };
}

/** Reads the event of {@link writeResolved}. `key` is the key of the question. */
export function readResolved(
  name: unknown,
  value: unknown,
): { readonly key: string; readonly outcome: ElicitationOutcome } | undefined {
  const { elicitationId: key, outcome } = name === RESOLVED_EVENT ? objectOf(value) : {};
  return typeof key === "string" && isOutcome(outcome) ? { key, outcome } : undefined;
}

/** An interrupt with the answer of the user. */
export type Answered = Pick<AgUiQuestion, "interrupt" | "answerAs" | "request"> & {
  readonly answer?: { action: ElicitationAction; content?: ElicitationContent | undefined } | undefined;
};

/** Writes the answer to an interrupt, for a client. Without an answer, the interrupt has expired and is cancelled. */
export function writeResumeEntry(answered: Answered): AgUiResumeEntry {
  const { interrupt, answerAs, request, answer } = answered;
  const { id: interruptId } = interrupt;
  if (answer?.action === "accept") {
    const isForm = request.mode === "form";
    return { interruptId, status: "resolved", ...(isForm && { payload: payloadOf(answered) }) };
  }
  const isDeclined = answer?.action === "decline";
  if (isDeclined && answerAs === "approval") {
    return { interruptId, status: "resolved", payload: { approved: false } };
  }
  const metadata = { [METADATA_KEY]: { action: "decline" } };
  return { interruptId, status: "cancelled", ...(isDeclined && { metadata }) };
}

/** The payload of an accept. */
export function payloadOf({ answerAs, answer }: Answered): unknown {
  if (answerAs === "approval") return { approved: true };
  const content = answer?.content ?? {};
  return answerAs === "value" ? content[ONE] : { ...content };
}

/** Reads the answer to an interrupt of the kit, for a surface. `undefined`: it is malformed. */
export function readResumeEntry(entry: unknown): AgUiAnswer | undefined {
  if (!isObject(entry)) return undefined;
  const { interruptId, status, payload, metadata } = entry;
  const found = typeof interruptId === "string" ? /^([\w~-]+)(?:\.(\d{1,15}))?$/.exec(interruptId) : null;
  if (found === null || (status !== "resolved" && status !== "cancelled")) return undefined;
  const [, elicitationId = "", seq] = found;
  const ours = isObject(metadata) ? objectOf(metadata[METADATA_KEY]) : {};
  const refusal = ours["action"] === "decline" ? "decline" : "cancel";
  return {
    elicitationId,
    action: status === "resolved" ? "accept" : refusal,
    ...(status === "resolved" && { content: payload }),
    after: seq === undefined ? undefined : Number(seq),
  };
}

function formOf({ reason, responseSchema }: AgUiInterrupt): {
  schema: RequestedSchema;
  answerAs: AgUiQuestion["answerAs"];
} {
  if (!isObject(responseSchema)) {
    if (reason === "confirmation" || reason === "tool_call")
      return { schema: form({}, []), answerAs: "approval" };
    return { schema: form({ [ONE]: { type: "string", title: "Answer" } }, [ONE]), answerAs: "value" };
  }
  const { type, properties, required } = responseSchema;
  if (type === "object" || isObject(properties)) {
    const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
    const schema = { ...responseSchema, ...form(isObject(properties) ? properties : {}, names) };
    return { schema, answerAs: "content" };
  }
  return { schema: form({ [ONE]: { title: "Answer", ...responseSchema } }, [ONE]), answerAs: "value" };
}

function form(properties: RequestedSchema["properties"], required: readonly string[]) {
  return { type: "object", properties, required } as const;
}

function claimOf(requester: unknown): { claimedName?: string } {
  const claimedName = claimedNameOf(objectOf(requester)["name"]);
  return claimedName === undefined ? {} : { claimedName };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function withoutUndefined(from: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined));
}
