import { expectTypeOf } from "vitest";
import type {
  Assignee,
  AssigneeList,
  ElicitationAction,
  ElicitationAnswer,
  ElicitationContent,
  ElicitationOutcome,
  ElicitationRequest,
} from "../contract/contract.ts";
import {
  type Channel,
  ChannelError,
  createElicitationClient,
  createHttpChannel,
  type ElicitationClient,
  type ElicitationItem,
  type HttpChannel,
  inspectUrl,
  isOpen,
} from "./index.ts";
import type { ChannelEvent, AnswerDelivery, AnswerReceipt, Reminder } from "./channel.ts";
import type { BlockedReason, ElicitationStatus, WindowState } from "./elicitation.ts";
import { hasEnded } from "./ended.ts";
import type { PopupEnvironment } from "./popup/environment.ts";
import type { OpenUrl } from "./popup/popup.ts";
import { readSseData } from "./sse.ts";
import type { UrlReason, UrlVerdict } from "../contract/inspect-url.ts";

// A client only requires a channel.
expectTypeOf(createElicitationClient({ channel: createHttpChannel() })).toEqualTypeOf<ElicitationClient>();
// @ts-expect-error: no client without a channel
createElicitationClient({});
// @ts-expect-error: one origin is trusted, not several
createElicitationClient({ channel: createHttpChannel(), trustedOrigin: ["https://auth.example.com"] });
// Options may be `undefined`, so that they can be passed on.
createElicitationClient({ channel: createHttpChannel(), clock: undefined, storage: null });
createHttpChannel({ api: undefined, headers: async () => ({ authorization: "Bearer t" }) });
// @ts-expect-error: there are two ways to send an answer
createHttpChannel({ answerBy: "socket" });

// An adapter requires four functions. status, list and bind are optional.
expectTypeOf<HttpChannel>().toExtend<Channel>();
({
  subscribe: () => () => undefined,
  respond: async () => [],
  delivery: () => ({ accept: "send", decline: "local", cancel: "unsupported" }),
}) satisfies Channel;
// @ts-expect-error: a channel says where each kind of answer goes
({ subscribe: () => () => undefined, respond: async () => [] }) satisfies Channel;
// @ts-expect-error: for each of the three
({ accept: "send", decline: "send" }) satisfies ReturnType<Channel["delivery"]>;
expectTypeOf<AnswerDelivery>().toEqualTypeOf<"send" | "local" | "unsupported">();
// @ts-expect-error: an event belongs to a conversation
({ type: "live", live: true }) satisfies ChannelEvent;
// @ts-expect-error: every call can be ended
void createHttpChannel().respond([]);

// The members of a receipt depend on its kind.
declare const receipt: AnswerReceipt;
if (receipt.kind === "settled") expectTypeOf(receipt.outcome).toEqualTypeOf<ElicitationOutcome>();
if (receipt.kind === "refused") expectTypeOf(receipt.status).toEqualTypeOf<number>();
if (receipt.kind === "gone") {
  // @ts-expect-error: what is gone has no end that is known
  void receipt.outcome;
}
// @ts-expect-error: an end has an outcome
({ elicitationId: "e1", kind: "settled" }) satisfies AnswerReceipt;

const error = new ChannelError("no network", { retryable: true });
expectTypeOf(error).toExtend<Error>();
expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | undefined>();
// @ts-expect-error: whether it may be sent again must be said
void new ChannelError("no network");

// Items are read-only. Only the client changes them.
declare const item: ElicitationItem;
// @ts-expect-error: an item is immutable
const settle = (): ElicitationStatus => (item.status = "accepted");
void settle;
expectTypeOf(item.request).toEqualTypeOf<ElicitationRequest>();
expectTypeOf(item.window).toEqualTypeOf<WindowState | undefined>();

// The members of an item depend on its status.
if (item.status === "pending") {
  expectTypeOf(item.window).toEqualTypeOf<undefined>();
  expectTypeOf(item.blocked).toEqualTypeOf<undefined>();
}
if (item.status === "opened") expectTypeOf(item.window).toEqualTypeOf<WindowState>();
if (item.status === "blocked") expectTypeOf(item.blocked).toEqualTypeOf<BlockedReason>();
if (item.status === "answered" || item.status === "submitting" || item.status === "undelivered") {
  expectTypeOf(item.answer).toEqualTypeOf<ElicitationAnswer>();
}
if (item.status === "accepted" || item.status === "gone") {
  expectTypeOf(item.answer).toEqualTypeOf<undefined>();
  expectTypeOf(item.action).toEqualTypeOf<ElicitationAction | undefined>();
}
if (isOpen(item)) {
  expectTypeOf(item.action).toEqualTypeOf<undefined>();
  // @ts-expect-error: what is open has not ended
  item.status satisfies ElicitationOutcome;
} else {
  expectTypeOf(item.status).toEqualTypeOf<ElicitationOutcome | "gone">();
}
// @ts-expect-error: an answer that is on its way is there
({ id: "e1", conversationId: "c1", request: item.request, status: "submitting" }) satisfies ElicitationItem;
// @ts-expect-error: a page that was opened has a window
({ id: "e1", conversationId: "c1", request: item.request, status: "opened" }) satisfies ElicitationItem;
if (hasEnded(item.status)) expectTypeOf(item.status).toEqualTypeOf<ElicitationOutcome>();
else {
  // @ts-expect-error: what has not ended has none of the six outcomes
  item.status satisfies ElicitationOutcome;
}
"undelivered" satisfies ElicitationStatus;
// @ts-expect-error: an answer is an action, an end is an outcome
"accept" satisfies ElicitationStatus;

declare const client: ElicitationClient;
expectTypeOf(client.accept).parameter(0).toEqualTypeOf<string>();
expectTypeOf(client.accept).parameter(1).toEqualTypeOf<ElicitationContent | undefined>();
// Opening a page is synchronous, because it must happen inside the click. Its outcome is a promise.
expectTypeOf(client.connect).returns.resolves.toEqualTypeOf<ElicitationOutcome | undefined>();
// @ts-expect-error: no does not come with content
void client.decline("e1", { city: "Lisbon" });
// @ts-expect-error: an answer has a request
void client.accept();

// Who decides: given to somebody else, or with `null` taken back. A client never rejects, and a channel need not offer it.
expectTypeOf(client.assign).toEqualTypeOf<(id: string, to: Assignee | null) => Promise<boolean>>();
expectTypeOf(client.assignees).returns.resolves.toEqualTypeOf<AssigneeList["assignees"] | undefined>();
expectTypeOf(client.remind).returns.resolves.toEqualTypeOf<Reminder>();
expectTypeOf<Reminder>().toEqualTypeOf<{ sent: boolean; retryAfterMs?: number | undefined }>();
// @ts-expect-error: nobody is `null`
void client.assign("e1", undefined);
declare const channel: Channel;
expectTypeOf(channel.assign).extract<undefined>().toEqualTypeOf<undefined>();
expectTypeOf(channel.assign)
  .exclude<undefined>()
  .returns.resolves.toEqualTypeOf<ElicitationRequest["assignee"]>();

// A function that opens a page elsewhere returns the result.
(async () => "opened" as const) satisfies OpenUrl;
// @ts-expect-error: it must return a result
(async () => undefined) satisfies OpenUrl;
// The window of a browser fits the environment type.
globalThis satisfies PopupEnvironment;

const inspection = inspectUrl("https://auth.example.com");
expectTypeOf(inspection.verdict).toEqualTypeOf<UrlVerdict>();
expectTypeOf<UrlVerdict>().toEqualTypeOf<"ok" | "warn" | "block">();
expectTypeOf(inspection.reasons).toEqualTypeOf<readonly UrlReason[]>();
"mixed-script" satisfies UrlReason;
// @ts-expect-error: codes are a closed list
"phishing" satisfies UrlReason;
// @ts-expect-error: the text as it came, not a URL that has been parsed
inspectUrl(new URL("https://auth.example.com"));

expectTypeOf(readSseData).returns.toExtend<AsyncIterable<string>>();
