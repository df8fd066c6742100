/**
 * `elicit-kit/contract/schema`: the wire contract as zod schemas, for servers, documentation and code that already uses
 * zod. Needs `zod`: `npm install zod`.
 */
import * as z from "zod/mini";
import { MAX_NOTE_LENGTH, type RequestedSchema } from "./contract.ts";
import { COMPLETION_MESSAGE_SOURCE } from "./window-messages.ts";
import { parseElicitationRequest } from "./guard.ts";
import { isObject } from "./json.ts";
import {
  absoluteUrl,
  content,
  count,
  elicitationId,
  nothing,
  optionalText,
  shortText,
  text,
  timestamp,
} from "./schema-values.ts";

/*
 * `guard.ts` accepts exactly the same values without a dependency. Unknown properties are kept, except one named
 * `__proto__`, which zod does not copy. In `properties` and `content`, where names are user-defined, `__proto__` is kept
 * too.
 */

const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn", "failed"] as const;
const outcome = z.literal(OUTCOMES);

/** The end of a request. */
export const resolutionSchema = z.looseObject({
  outcome,
  at: timestamp,
  reason: optionalText,
  account: optionalText,
  remembered: z.optional(elicitationId),
  by: optionalText,
  delegated: z.optional(z.literal(true)),
});

const flag = z.optional(z.boolean());

const request = {
  type: z.literal("elicitation-request"),
  elicitationId,
  message: shortText,
  context: z.optional(z.looseObject({ trigger: text })),
  requester: z.optional(z.looseObject({ name: text, claimedName: optionalText })),
  round: z.optional(z.looseObject({ id: text, size: count })),
  toolCallId: optionalText,
  assignee: z.optional(z.looseObject({ name: text, takeBack: flag, remind: flag })),
  from: z.optional(z.looseObject({ name: text })),
  giveOn: flag,
  expiresAt: z.optional(timestamp),
  extendableUntil: z.optional(timestamp),
  progress: z.optional(
    z.looseObject({
      status: z.literal(["pending", "consented", "completed"]),
      lastError: optionalText,
      byUser: flag,
    }),
  ),
  resolution: z.optional(resolutionSchema),
};

/** A request. The client decides whether its URL is safe and its form can be shown. */
export const elicitationRequestSchema = z.union([
  z.looseObject({
    ...request,
    mode: z.literal("url"),
    url: absoluteUrl,
    acceptMeans: z.optional(z.literal(["completion", "consent"])),
    service: z.optional(z.looseObject({ name: text, iconDataUrl: optionalText })),
    purpose: optionalText,
    requestedSchema: nothing,
    remember: nothing,
    delegate: nothing,
  }),
  z.looseObject({
    ...request,
    mode: z.literal("form"),
    requestedSchema: z.looseObject({
      type: z.literal("object"),
      properties: z.custom<RequestedSchema["properties"]>(isObject).check(z.meta({ type: "object" })),
      required: z.optional(z.array(text)),
    }),
    remember: z.optional(z.looseObject({ days: count, kind: optionalText, scope: optionalText })),
    delegate: z.optional(z.literal(true)),
    url: nothing,
  }),
]);

const answer = {
  elicitationId,
  action: z.literal(["accept", "decline", "cancel"]),
  content: z.optional(content),
  note: z.optional(
    text.check(
      z.refine((value) => Array.from(value).length <= MAX_NOTE_LENGTH),
      z.meta({ maxLength: MAX_NOTE_LENGTH }),
    ),
  ),
  remember: z.optional(z.literal([true, false])),
  delegated: z.optional(z.literal(true)),
};
const onlyWithTheirAction = [
  z.refine<{
    action: string;
    content?: unknown;
    note?: unknown;
    remember?: unknown;
    delegated?: unknown;
  }>(
    ({ action, delegated, note, ...given }) =>
      ((action === "accept" && delegated === undefined) ||
        (given.content === undefined && given.remember === undefined)) &&
      (action === "accept" || delegated === undefined) &&
      (action === "decline" || note === undefined),
  ),
  z.meta({
    dependentSchemas: {
      content: { properties: { action: { const: "accept" } } },
      remember: { properties: { action: { const: "accept" } } },
      delegated: { properties: { action: { const: "accept" }, content: false, remember: false } },
      note: { properties: { action: { const: "decline" } } },
    },
  }),
] as const;

/**
 * The user's answer. `content` and `remember` are allowed only with `accept`, `delegated` only in their place, `note` only with
 * `decline`. `checkContent` checks whether the content fits the form.
 */
export const elicitationResponseSchema = z.looseObject(answer).check(...onlyWithTheirAction);

/** The body of `POST /run/api/elicitation-responses`. */
export const elicitationAnswerSchema = z
  .looseObject({ conversationId: text, ...answer })
  .check(...onlyWithTheirAction);

/** The body of `GET /run/api/elicitations/:id`. */
export const statusReportSchema = z.looseObject({
  elicitationId,
  status: z.literal(["pending", "consented", "completed", ...OUTCOMES]),
  lastError: optionalText,
  byUser: flag,
  expiresAt: timestamp,
  now: timestamp,
});

/** The body of `GET /run/api/elicitations?conversationId=…`: the open requests, oldest first. */
export const elicitationListSchema = z.looseObject({ elicitations: z.array(elicitationRequestSchema) });

/** The body of `GET /run/api/elicitations` without a conversation, and each event of its stream. */
export const inboxPageSchema = z.looseObject({
  items: z.array(
    z.looseObject({
      conversationId: text,
      surface: optionalText,
      askedAt: timestamp,
      request: elicitationRequestSchema,
    }),
  ),
  next: optionalText,
});

const ack = { success: z.literal(true), elicitationId };

/** The server's reply to an answer that it took (HTTP 200 and 202). */
export const answerAckSchema = z.union([
  z.looseObject({ ...ack, outcome, alreadyProcessed: z.optional(z.literal(true)) }),
  z.looseObject({
    ...ack,
    status: z.literal(["consented", "pending"]),
    lastError: optionalText,
    byUser: flag,
  }),
]);

/** The problem+json body of a refusal (RFC 9457). */
export const problemSchema = z.looseObject({
  title: text,
  status: z.number(),
  detail: text,
  code: optionalText,
  outcome: z.optional(outcome),
  errors: z.optional(z.array(z.looseObject({ field: text, code: text, message: text }))),
});

/** The server's reply to several answers in one message: the status and body that each would have got alone. */
export const answerResultsSchema = z.looseObject({
  success: z.literal([true, false]),
  results: z.array(
    z.looseObject({ elicitationId, status: z.number(), body: z.union([answerAckSchema, problemSchema]) }),
  ),
});

const posted = { source: z.literal(COMPLETION_MESSAGE_SOURCE), version: z.literal(1), elicitationId };

/**
 * A message from a hosted page to its opener. Check the sender's origin and window first, because any page can post this.
 */
export const completionMessageSchema = z.union([
  z.looseObject({ ...posted, type: z.literal(["elicitation-complete", "elicitation-failed"]) }),
  z.looseObject({ ...posted, type: z.literal("elicitation-bind"), challenge: text }),
]);

const present = z.unknown();
const toolCallId = text;
const asPart = z.looseObject({ id: optionalText, data: elicitationRequestSchema });

/** The known stream events by type, with their required properties (contract, "Stream events"). */
export const streamEventSchemas = {
  "elicitation-request": z.union([elicitationRequestSchema, asPart]),
  "data-elicitation-request": asPart,
  "elicitation-resolved": z.looseObject({ elicitationId, resolution: resolutionSchema }),
  "data-tool-auth-required": z.looseObject({
    data: z.looseObject({
      type: z.literal("data-tool-auth-required"),
      toolCallId,
      toolName: text,
      toolId: text,
      mcpServerName: optionalText,
      mcpServerUrl: optionalText,
      message: text,
      authLink: optionalText,
    }),
  }),
  start: z.looseObject({ messageId: optionalText }),
  "text-start": z.looseObject({ id: text }),
  "text-delta": z.looseObject({ id: text, delta: text }),
  "text-end": z.looseObject({ id: text }),
  "tool-input-start": z.looseObject({ toolCallId, toolName: text }),
  "tool-input-delta": z.looseObject({ toolCallId, inputTextDelta: text }),
  "tool-input-available": z.looseObject({ toolCallId, toolName: text, input: present }),
  "tool-approval-request": z.looseObject({ toolCallId, approvalId: text, toolName: optionalText }),
  "tool-output-available": z.looseObject({ toolCallId, output: present }),
  "tool-output-error": z.looseObject({ toolCallId, errorText: text }),
  "tool-output-denied": z.looseObject({ toolCallId }),
  "data-component": z.looseObject({ id: text, data: present }),
  "data-artifact": z.looseObject({ data: present }),
  "data-operation": z.looseObject({ data: present }),
  "data-summary": z.looseObject({ data: present }),
  /** The message is in `errorText` (AI SDK), `error` (the platform's schema) or `message` (the platform's streams). */
  error: z.union([
    z.looseObject({ errorText: text }),
    z.looseObject({ error: text }),
    z.looseObject({ message: text }),
  ]),
  finish: z.looseObject({
    finishReason: optionalText,
    usage: z.optional(
      z.looseObject({
        promptTokens: z.optional(z.number()),
        completionTokens: z.optional(z.number()),
        totalTokens: z.optional(z.number()),
      }),
    ),
  }),
};
type StreamEvents = typeof streamEventSchemas;
const schemaByType = new Map<string, z.ZodMiniType>(Object.entries(streamEventSchemas));

/** An event of a type that this contract knows. */
export type StreamEvent = {
  [Type in keyof StreamEvents]: { type: Type } & z.output<StreamEvents[Type]>;
}[keyof StreamEvents];

/** An event of any other type, passed on unchanged. */
interface UnknownStreamEvent {
  type: string;
  [key: string]: unknown;
}

/** The result of `parseStreamEvent`. `event` is the same object; `reason` is for developers and logs. */
export type ParsedStreamEvent =
  | { ok: true; known: true; event: StreamEvent }
  | { ok: true; known: false; event: UnknownStreamEvent }
  | { ok: false; reason: string };

/**
 * Checks one event of a stream (contract, "Stream events"). A known type is checked strictly, so that a malformed request
 * cannot pass as an unknown event. An unknown type passes, so that servers can add events that older clients ignore. An
 * elicitation request may be the event itself or its `data`. Accepts any value and never throws.
 */
export function parseStreamEvent(value: unknown): ParsedStreamEvent {
  if (!isTyped(value)) return { ok: false, reason: "event.type: expected a string" };
  const schema = schemaByType.get(value.type);
  if (schema === undefined) return { ok: true, known: false, event: value };
  const issues = schema.safeParse(value).error?.issues ?? [];
  if (isKnown(value, issues)) return { ok: true, known: true, event: value };
  if (value.type.endsWith("elicitation-request")) {
    // zod does not report which member of a union failed, so the guard is used.
    const half = parseElicitationRequest(value["data"] ?? value);
    if (!half.ok) return half;
  }
  return {
    ok: false,
    reason: issues.map(({ path, message }) => `${["event", ...path].join(".")}: ${message}`).join("; "),
  };
}

/**
 * One schema for every event of a stream, for code that takes a schema, such as an event-source handler. It accepts what
 * {@link parseStreamEvent} accepts, and returns the same object: a malformed event of a known type is refused, and an event
 * of an unknown type passes.
 */
export const streamEventSchema = z.custom<StreamEvent | UnknownStreamEvent>().check(({ value, issues }) => {
  const parsed = parseStreamEvent(value);
  if (!parsed.ok) issues.push({ code: "custom", message: parsed.reason, input: value });
});

function isTyped(value: unknown): value is UnknownStreamEvent {
  return isObject(value) && typeof value["type"] === "string";
}

/** Narrows the type: the schema of the event's type found no issues. */
function isKnown(_event: UnknownStreamEvent, issues: readonly unknown[]): _event is StreamEvent {
  return issues.length === 0;
}
