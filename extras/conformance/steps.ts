import {
  type AnswerAck,
  type ElicitationAction,
  type ElicitationContent,
  type ElicitationRequest,
  type ElicitationResolution,
  type Problem,
  type StatusReport,
  REQUEST_PART_TYPE,
} from "../../src/contract/contract.ts";
import {
  type Parsed,
  parseAnswerAck,
  parseElicitationRequest,
  parseProblem,
  parseStatusReport,
} from "../../src/contract/guard.ts";
import { claimedNameOf } from "../../src/contract/claimed-name.ts";
import { isObject } from "../../src/contract/json.ts";
import { type Reply, NotChecked, ensure, ensureEqual, show } from "./reply.ts";
import type { Chunk } from "./chunk-stream.ts";
import type { KnownForm } from "./target.ts";
import { type MessageOptions, type Person, type TestContext, type Turn, eventually } from "./test-context.ts";

/** Long enough to detect that a server does not wait, and short enough for many cases. */
export const SETTLE_MS = 150;

/** An id in the right format that no server has issued. */
export const UNKNOWN_ID = "AAAAAAAAAAAAAAAAAAAAAA";

/** An open request, the user who is asked, and the turn that asks. */
export interface Asked {
  readonly person: Person;
  readonly turn: Turn;
  readonly request: ElicitationRequest;
}

/** Sends a message to the agent and waits until it asks. */
export async function ask(person: Person, message: string, options?: MessageOptions): Promise<Asked> {
  const turn = await person.sendMessage(message, options);
  const chunk = await turn.stream.until(`a ${REQUEST_PART_TYPE} chunk`, isRequestChunk);
  return { person, turn, request: requestIn(chunk) };
}

/** Makes the agent ask the first user: a question of the preferred mode, or of the other mode if there is none. */
export function askAny(context: TestContext, preferred: "url" | "form" = "url"): Promise<Asked> {
  const { message } = context.question(preferred);
  const [person] = context.people();
  return ask(person, message);
}

/** Makes the agent ask the form that the server's author has named. */
export async function askForm(context: TestContext): Promise<Asked & { readonly form: KnownForm }> {
  const form = context.need("form");
  const [person] = context.people();
  return { ...(await ask(person, form.message)), form };
}

export function isRequestChunk(chunk: Chunk): boolean {
  return chunk["type"] === REQUEST_PART_TYPE;
}

/** The card may arrive before the tool part that it belongs to. */
export function isToolInput({ type, data }: Chunk): boolean {
  const isInput = typeof type === "string" && type.startsWith("tool-input-");
  return isInput || (type === "data-operation" && isObject(data));
}

/** Returns the request in a chunk. It must be well-formed and carry its own id. */
export function requestIn(chunk: Chunk): ElicitationRequest {
  const request = parsed(parseElicitationRequest(chunk["data"]), `the data of a ${REQUEST_PART_TYPE} chunk`);
  ensureEqual(chunk["id"], request.elicitationId, "id of the chunk, the elicitationId of its data");
  return request;
}

export function requestsIn(chunks: readonly Chunk[]): ElicitationRequest[] {
  return chunks.filter(isRequestChunk).map(requestIn);
}

/** An answer as part of a body. It has content only if some is given. */
export function answerOf(
  { request }: Asked,
  action: ElicitationAction,
  content?: ElicitationContent,
): Readonly<Record<string, unknown>> {
  return { elicitationId: request.elicitationId, action, ...(content !== undefined && { content }) };
}

/** Answers through the answer route. `person` sends the answer. The default is the user who was asked. */
export function answer(
  asked: Asked,
  action: ElicitationAction,
  content?: ElicitationContent,
  person: Person = asked.person,
): Promise<Reply> {
  const { conversationId } = asked.turn;
  return person.post("/elicitation-responses", { conversationId, ...answerOf(asked, action, content) });
}

export function ensureReplied(reply: Reply, status: number): void {
  ensure(reply.status === status, `${reply.to}: expected ${status}, got ${describeReply(reply)}`);
}

/** The reply must acknowledge an answer to this request, with this status. */
export function ackIn(reply: Reply, status: 200 | 202, { request }: Asked): AnswerAck {
  ensureReplied(reply, status);
  const ack = parsed(parseAnswerAck(reply.body), `the body of the ${status}`);
  ensureEqual(ack.elicitationId, request.elicitationId, "elicitationId of the reply");
  return ack;
}

/** The reply must report that this answer settled the request, and that it was not a repeated answer. */
export function ensureSettled(reply: Reply, asked: Asked, outcome: ElicitationResolution["outcome"]): void {
  const { elicitationId } = asked.request;
  ensureEqual(ackIn(reply, 200, asked), { success: true, elicitationId, outcome }, "body of the 200");
}

/** The reply must be a refusal with this status, as problem+json. */
export function problemIn(reply: Reply, status: number): Problem {
  ensureReplied(reply, status);
  const type = reply.headers.get("content-type") ?? "nothing";
  ensure(
    type.startsWith("application/problem+json"),
    `${reply.to}: a ${status} is application/problem+json, this one was ${type}`,
  );
  const problem = parsed(parseProblem(reply.body), `the body of the ${status}`);
  ensureEqual(problem.status, status, "status member of the problem");
  return problem;
}

/** The status report of a request, which the server must know. */
export async function statusOf(person: Person, elicitationId: string): Promise<StatusReport> {
  const reply = await person.get(`/elicitations/${elicitationId}`);
  ensureReplied(reply, 200);
  return parsed(parseStatusReport(reply.body), "the status report");
}

export async function ensureStatus(asked: Asked, status: StatusReport["status"]): Promise<void> {
  const report = await statusOf(asked.person, asked.request.elicitationId);
  ensureEqual(report.status, status, "status of the request");
}

/** Waits until the request has this status, for changes outside the chat. */
export async function untilStatus(
  context: TestContext,
  asked: Asked,
  status: StatusReport["status"],
  withinMs?: number,
) {
  const { elicitationId } = asked.request;
  return eventually(
    context,
    `status ${status}`,
    async () => {
      const report = await statusOf(asked.person, elicitationId);
      return report.status === status ? report : undefined;
    },
    withinMs,
  );
}

/** The open requests of a conversation, as this user sees them. */
export async function openRequests(person: Person, conversationId: string): Promise<ElicitationRequest[]> {
  const reply = await person.get(`/elicitations?conversationId=${encodeURIComponent(conversationId)}`);
  ensureReplied(reply, 200);
  const list = isObject(reply.body) ? reply.body["elicitations"] : undefined;
  ensure(Array.isArray(list), `${reply.to}: expected {"elicitations": [...]}, got ${show(reply.body)}`);
  return list.map((entry: unknown) => parsed(parseElicitationRequest(entry), "an entry of the list"));
}

/** Waits for the outcome of a request on its stream. */
export async function resolutionOf({ turn, request }: Asked): Promise<ElicitationResolution> {
  const { elicitationId } = request;
  const chunk = await turn.stream.until(
    "the same request again with its resolution",
    (each) =>
      isRequestChunk(each) && each["id"] === elicitationId && requestIn(each).resolution !== undefined,
  );
  const { resolution } = requestIn(chunk);
  ensure(resolution !== undefined, "the request has no resolution");
  return resolution;
}

export async function ensureResolved(asked: Asked, outcome: ElicitationResolution["outcome"]): Promise<void> {
  const resolution = await resolutionOf(asked);
  ensureEqual(resolution.outcome, outcome, "outcome on the stream");
  const { account } = resolution;
  const isLine = account === undefined || account === claimedNameOf(account);
  ensure(isLine, "account is not one line of at most 100 characters without control characters");
  const isConnected = outcome === "accepted" && asked.request.mode === "url";
  ensure(account === undefined || isConnected, "account is there although none was connected");
}

/** The turn must continue and end without an error. @returns all chunks */
export async function ensureGoesOn({ stream }: Turn): Promise<readonly Chunk[]> {
  const chunks = await stream.ended();
  const error = chunks.find(({ type }) => type === "error" || type === "abort");
  ensure(error === undefined, `the turn should have gone on, but it broke off: ${show(error)}`);
  return chunks;
}

/** The result of the last tool of a turn, if the stream shows it: every text in its output, or its error. */
export function toolTexts(chunks: readonly Chunk[]): readonly string[] {
  return textsIn(toolOutput(chunks));
}

/** The output of the last tool of a turn, or its error, if the stream shows it. */
export function toolOutput(chunks: readonly Chunk[]): unknown {
  const { output, errorText = output } = chunks.findLast(isToolEnd) ?? {};
  if (errorText === undefined) throw new NotChecked("the stream shows no tool output");
  return errorText;
}

/** Whether the last tool of a turn has failed. */
export function hasToolFailed(chunks: readonly Chunk[]): boolean {
  return chunks.findLast(isToolEnd)?.["type"] === "tool-output-error";
}

function isToolEnd({ type }: Chunk): boolean {
  return type === "tool-output-available" || type === "tool-output-error";
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Status and text of a reply, for messages. */
export function describeReply({ status, text }: Reply): string {
  return `${status} ${text.slice(0, 200)}`;
}

function parsed<T>(result: Parsed<T>, what: string): T {
  ensure(result.ok, `${what} is malformed: ${result.ok ? "" : result.reason}`);
  return result.value;
}
