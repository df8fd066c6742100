import type * as z from "zod/mini";
import type {
  AnswerAck,
  AnswerResults,
  ElicitationAnswer,
  ElicitationList,
  ElicitationRequest,
  ElicitationResolution,
  ElicitationResponse,
  InboxPage,
  Problem,
  StatusReport,
} from "./contract.ts";
import type { BindMessage, CompletionMessage } from "./window-messages.ts";
import type {
  answerAckSchema,
  answerResultsSchema,
  completionMessageSchema,
  elicitationAnswerSchema,
  elicitationListSchema,
  elicitationRequestSchema,
  elicitationResponseSchema,
  inboxPageSchema,
  ParsedStreamEvent,
  problemSchema,
  resolutionSchema,
  statusReportSchema,
  StreamEvent,
} from "./schema.ts";

/** The named properties of a type, because zod's objects are open and mutable, and those of the contract are not. */
type Named<T> = T extends readonly (infer Entry)[]
  ? readonly Named<Entry>[]
  : T extends object
    ? { readonly [Key in keyof T as string extends Key ? never : Key]: Named<T[Key]> }
    : T;
/** Whether each type is assignable to the other, in every branch of a union. */
type Same<A, B> = [Named<A>] extends [Named<B>] ? ([Named<B>] extends [Named<A>] ? true : false) : false;

true satisfies Same<z.output<typeof elicitationRequestSchema>, ElicitationRequest>;
true satisfies Same<z.output<typeof elicitationResponseSchema>, ElicitationResponse>;
true satisfies Same<z.output<typeof elicitationAnswerSchema>, ElicitationAnswer>;
true satisfies Same<z.output<typeof resolutionSchema>, ElicitationResolution>;
true satisfies Same<z.output<typeof statusReportSchema>, StatusReport>;
true satisfies Same<z.output<typeof answerAckSchema>, AnswerAck>;
true satisfies Same<z.output<typeof elicitationListSchema>, ElicitationList>;
true satisfies Same<z.output<typeof inboxPageSchema>, InboxPage>;
true satisfies Same<z.output<typeof answerResultsSchema>, AnswerResults>;
true satisfies Same<z.output<typeof problemSchema>, Problem>;
true satisfies Same<z.output<typeof completionMessageSchema>, CompletionMessage | BindMessage>;

// `Same` detects a missing property, a missing mode, another literal, and optional members.
false satisfies Same<Omit<StatusReport, "now">, StatusReport>;
false satisfies Same<Extract<ElicitationRequest, { mode: "url" }>, ElicitationRequest>;
false satisfies Same<z.output<typeof completionMessageSchema>, CompletionMessage>;
false satisfies Same<Omit<ElicitationResolution, "reason"> & { reason: string }, ElicitationResolution>;
false satisfies Same<Omit<ElicitationRequest, "round"> & { round?: { id: string } }, ElicitationRequest>;

declare const request: z.output<typeof elicitationRequestSchema>;
if (request.mode === "form") request.requestedSchema.properties satisfies object;
if (request.mode === "url") request.url satisfies string;
// @ts-expect-error: a form has no URL
if (request.mode === "form") request.url satisfies string;
// @ts-expect-error: an outcome is one of six
"done" satisfies z.output<typeof resolutionSchema>["outcome"];
// @ts-expect-error: an id is a string
({ outcome: "failed", at: 0 }) satisfies z.output<typeof resolutionSchema>;

declare const event: StreamEvent;
if (event.type === "text-delta") event.delta satisfies string;
if (event.type === "data-elicitation-request") event.data satisfies ElicitationRequest;
// @ts-expect-error: an event of this type has no delta that is text
if (event.type === "text-end") event.delta satisfies string;
// @ts-expect-error: a type that is not known
if (event.type === "text-middle") event.type satisfies string;

declare const parsed: ParsedStreamEvent;
if (parsed.ok && parsed.known) parsed.event satisfies StreamEvent;
if (parsed.ok && !parsed.known) parsed.event.type satisfies string;
// @ts-expect-error: an unknown event is no known one
if (parsed.ok && !parsed.known) parsed.event satisfies StreamEvent;
