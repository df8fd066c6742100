import { expectTypeOf } from "vitest";
import {
  type AnswerAck,
  type ElicitationAnswer,
  type ElicitationContent,
  type ElicitationOutcome,
  type ElicitationRequest,
  type ElicitationResponse,
  type FormElicitationRequest,
  type StatusReport,
  type UrlElicitationRequest,
  parseElicitationRequest,
  SUPPORTS_ELICITATION_HEADER,
} from "./index.ts";
import type { Assignee, AssigneeList } from "./contract.ts";
import { type Parsed, parseCompletionMessage } from "./guard.ts";
import type { BindMessage, CompletionMessage } from "./window-messages.ts";
import { parseStreamEvent } from "./schema.ts";

// The name of the header is a literal type, so that a typo in a lookup table of headers is an error.
expectTypeOf<typeof SUPPORTS_ELICITATION_HEADER>().toEqualTypeOf<"x-supports-elicitation">();

// `mode` distinguishes a page from a form, and each has its own members.
declare const request: ElicitationRequest;
if (request.mode === "url") expectTypeOf(request).toEqualTypeOf<UrlElicitationRequest>();
else expectTypeOf(request).toEqualTypeOf<FormElicitationRequest>();
expectTypeOf(request.url).toEqualTypeOf<string | undefined>();
expectTypeOf(request.resolution?.outcome).toEqualTypeOf<ElicitationOutcome | undefined>();

const common = { type: "elicitation-request", elicitationId: "e1", message: "Connect" } as const;
({ ...common, mode: "url", url: "https://auth.example.com" }) satisfies ElicitationRequest;
({
  ...common,
  mode: "form",
  requestedSchema: { type: "object", properties: {} },
}) satisfies ElicitationRequest;
// An absent field may be `undefined`.
({ ...common, mode: "url", url: "https://a.example", expiresAt: undefined }) satisfies ElicitationRequest;
// The context may have more members than the trigger.
({
  ...common,
  mode: "url",
  url: "https://a.example",
  context: { trigger: "own", any: 1 },
}) satisfies ElicitationRequest;
// @ts-expect-error: a page has a URL
({ ...common, mode: "url" }) satisfies ElicitationRequest;
// @ts-expect-error: a form has a schema
({ ...common, mode: "form" }) satisfies ElicitationRequest;
const requestedSchema = { type: "object", properties: {} } as const;
// @ts-expect-error: a form has no URL
({ ...common, mode: "form", requestedSchema, url: "https://a.example" }) satisfies ElicitationRequest;
// @ts-expect-error: the schema of a form is an object's
({ ...common, mode: "form", requestedSchema: { type: "string" } }) satisfies ElicitationRequest;
// @ts-expect-error: there are two modes
({ ...common, mode: "voice" }) satisfies ElicitationRequest;
// @ts-expect-error: a round has a size
({ ...common, mode: "url", url: "https://a.example", round: { id: "r" } }) satisfies ElicitationRequest;

// Somebody else decides: a user or a group, who has a name. The one who waits may be allowed two things.
expectTypeOf(request.assignee).toEqualTypeOf<
  { name: string; takeBack?: boolean | undefined; remind?: boolean | undefined } | undefined
>();
expectTypeOf(request.from).toEqualTypeOf<{ name: string } | undefined>();
expectTypeOf(request.giveOn).toEqualTypeOf<boolean | undefined>();
expectTypeOf<AssigneeList["assignees"][number]>().toEqualTypeOf<{ to: Assignee; name: string }>();
({ user: "ada" }) satisfies Assignee;
({ group: "finance" }) satisfies Assignee;
// @ts-expect-error: not both of them
({ user: "ada", group: "finance" }) satisfies Assignee;
// @ts-expect-error: somebody
({}) satisfies Assignee;

// Content is flat: texts, numbers, booleans and lists of texts.
({ city: "Lisbon", nights: 2, quiet: true, meals: ["lunch"] }) satisfies ElicitationContent;
// @ts-expect-error: no objects in it
({ address: { city: "Lisbon" } }) satisfies ElicitationContent;
// @ts-expect-error: no lists of numbers
({ numbers: [1, 2] }) satisfies ElicitationContent;
// @ts-expect-error: no null
({ city: null }) satisfies ElicitationContent;

// An answer over HTTP contains its conversation, but an answer in a message need not.
expectTypeOf<ElicitationAnswer>().toExtend<ElicitationResponse>();
expectTypeOf<ElicitationResponse>().not.toExtend<ElicitationAnswer>();
// @ts-expect-error: what can be answered is accept, decline, cancel
({ elicitationId: "e1", action: "accepted" }) satisfies ElicitationResponse;

// A resolution contains the outcome, and never the content of a form.
expectTypeOf<ElicitationRequest["resolution"] & object>().not.toHaveProperty("content");
expectTypeOf<StatusReport>().not.toHaveProperty("content");
expectTypeOf<StatusReport["now"]>().toEqualTypeOf<string>();

// An ack contains the outcome, or reports that there is none yet.
declare const ack: AnswerAck;
if ("outcome" in ack) expectTypeOf(ack.outcome).toEqualTypeOf<ElicitationOutcome>();
else expectTypeOf(ack.status).toEqualTypeOf<"consented" | "pending">();
// @ts-expect-error: an end is no status of an ack
({ success: true, elicitationId: "e1", status: "accepted" }) satisfies AnswerAck;

// A parser accepts any value, and returns one only with `ok`.
expectTypeOf(parseElicitationRequest).toEqualTypeOf<(value: unknown) => Parsed<ElicitationRequest>>();
const parsed = parseElicitationRequest({});
if (parsed.ok) expectTypeOf(parsed.value).toEqualTypeOf<ElicitationRequest>();
else expectTypeOf(parsed.reason).toEqualTypeOf<string>();
// @ts-expect-error: no value before `ok` was looked at
void parsed.value;

// `type` distinguishes the completion messages from the question for a vouching.
const message = parseCompletionMessage({});
if (message.ok && message.value.type === "elicitation-bind")
  expectTypeOf(message.value).toEqualTypeOf<BindMessage>();
if (message.ok && message.value.type !== "elicitation-bind") {
  expectTypeOf(message.value).toEqualTypeOf<CompletionMessage>();
  // @ts-expect-error: a hint has no challenge
  void message.value.challenge;
}

// The members of an event depend on its type. Those of an unknown type are unknown.
const event = parseStreamEvent({});
if (event.ok && event.known && event.event.type === "elicitation-resolved") {
  expectTypeOf(event.event.resolution.outcome).toEqualTypeOf<ElicitationOutcome>();
}
if (event.ok && !event.known) expectTypeOf(event.event["anything"]).toEqualTypeOf<unknown>();
