import type {
  AnswerAck,
  ElicitationAction,
  ElicitationContent,
  ElicitationRequest,
  ElicitationResolution,
  Problem,
  StatusReport,
} from "../protocol/contract.ts";
import { REQUEST_PART_TYPE } from "../protocol/contract.ts";
import {
  type Parsed,
  parseAnswerAck,
  parseElicitationRequest,
  parseProblem,
  parseStatusReport,
} from "../protocol/guard.ts";
import { isObject } from "../protocol/json.ts";
import type { Chunk } from "./chunk-stream.ts";
import { ensure, ensureEqual, show } from "./verdict.ts";
import { type Person, type Reply, type Run, type SayOptions, eventually, type Visit } from "./visit.ts";

/** Long enough to see that a server which should wait does not, short enough to be spent in many cases. */
export const SETTLE_MS = 150;

/** A request that is open, whom it was put to, and in which run. */
export interface Asked {
  readonly person: Person;
  readonly run: Run;
  readonly request: ElicitationRequest;
}

/** Says something to the agent and waits until it asks. */
export async function ask(person: Person, text: string, options?: SayOptions): Promise<Asked> {
  const run = await person.say(text, options);
  const chunk = await run.stream.until(`a ${REQUEST_PART_TYPE} chunk`, isRequestChunk);
  return { person, run, request: requestIn(chunk) };
}

export function isRequestChunk(chunk: Chunk): boolean {
  return chunk["type"] === REQUEST_PART_TYPE;
}

/** The card may come before the tool part it belongs to. */
export function isToolInput({ type, data }: Chunk): boolean {
  const isInput = typeof type === "string" && type.startsWith("tool-input-");
  return isInput || (type === "data-operation" && isObject(data));
}

/** The request in a chunk, which must be well-formed and carry its own id. */
export function requestIn(chunk: Chunk): ElicitationRequest {
  const request = parsed(parseElicitationRequest(chunk["data"]), `the data of a ${REQUEST_PART_TYPE} chunk`);
  ensureEqual(chunk["id"], request.elicitationId, "id of the chunk, the elicitationId of its data");
  return request;
}

export function requestsIn(chunks: readonly Chunk[]): ElicitationRequest[] {
  return chunks.filter(isRequestChunk).map(requestIn);
}

/** What stands for an answer in a body: the person's action, and content only where there is some. */
export function answerOf(
  { request }: Asked,
  action: ElicitationAction,
  content?: ElicitationContent,
): Readonly<Record<string, unknown>> {
  return { elicitationId: request.elicitationId, action, ...(content !== undefined && { content }) };
}

/** Answers by the endpoint. `person` is whoever does so, by default the one who was asked. */
export function answer(
  asked: Asked,
  action: ElicitationAction,
  content?: ElicitationContent,
  person: Person = asked.person,
): Promise<Reply> {
  const { conversationId } = asked.run;
  return person.post("/elicitation-responses", { conversationId, ...answerOf(asked, action, content) });
}

/** The reply must be an acknowledgement of this request with this status. */
export function ackIn(reply: Reply, status: 200 | 202, { request }: Asked): AnswerAck {
  ensure(reply.status === status, `expected ${status}, got ${described(reply)}`);
  const ack = parsed(parseAnswerAck(reply.body), `the body of the ${status}`);
  ensureEqual(ack.elicitationId, request.elicitationId, "elicitationId of the reply");
  return ack;
}

/** The reply must settle the request just now: the first answer, not a repeated one. */
export function ensureSettled(reply: Reply, asked: Asked, outcome: ElicitationResolution["outcome"]): void {
  const { elicitationId } = asked.request;
  ensureEqual(ackIn(reply, 200, asked), { success: true, elicitationId, outcome }, "body of the 200");
}

/** The reply must be a refusal with this status, as problem+json. */
export function problemIn(reply: Reply, status: number): Problem {
  ensure(reply.status === status, `expected ${status}, got ${described(reply)}`);
  const type = reply.headers.get("content-type") ?? "nothing";
  ensure(
    type.startsWith("application/problem+json"),
    `a ${status} is application/problem+json, this was ${type}`,
  );
  const problem = parsed(parseProblem(reply.body), `the body of the ${status}`);
  ensureEqual(problem.status, status, "status member of the problem");
  return problem;
}

/** What the server says of a request. Fails unless it knows it. */
export async function statusOf(person: Person, elicitationId: string): Promise<StatusReport> {
  const reply = await person.get(`/elicitations/${elicitationId}`);
  ensure(reply.status === 200, `GET /elicitations/:id: expected 200, got ${described(reply)}`);
  return parsed(parseStatusReport(reply.body), "the status report");
}

export async function ensureStatus(asked: Asked, status: StatusReport["status"]): Promise<void> {
  const report = await statusOf(asked.person, asked.request.elicitationId);
  ensureEqual(report.status, status, "status of the request");
}

/** Waits until the server says so: what happens outside the chat takes its time. */
export async function untilStatus(
  visit: Visit,
  asked: Asked,
  status: StatusReport["status"],
  withinMs?: number,
) {
  const { elicitationId } = asked.request;
  return eventually(
    visit,
    `status ${status}`,
    async () => {
      const report = await statusOf(asked.person, elicitationId);
      return report.status === status ? report : undefined;
    },
    withinMs,
  );
}

/** The open requests of a conversation, as this person sees them. */
export async function openRequests(person: Person, conversationId: string): Promise<ElicitationRequest[]> {
  const reply = await person.get(`/elicitations?conversationId=${encodeURIComponent(conversationId)}`);
  ensure(reply.status === 200, `GET /elicitations: expected 200, got ${described(reply)}`);
  const list = isObject(reply.body) ? reply.body["elicitations"] : undefined;
  ensure(Array.isArray(list), `GET /elicitations: expected {"elicitations": [...]}, got ${show(reply.body)}`);
  return list.map((entry: unknown) => parsed(parseElicitationRequest(entry), "an entry of the list"));
}

/** Waits for the end of a request on its stream. */
export async function resolutionOf({ run, request }: Asked): Promise<ElicitationResolution> {
  const { elicitationId } = request;
  const chunk = await run.stream.until(
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
}

/** The run must go on and come to its end without an error. */
export async function ensureGoesOn({ stream }: Run): Promise<readonly Chunk[]> {
  const chunks = await stream.ended();
  const error = chunks.find(({ type }) => type === "error" || type === "abort");
  ensure(error === undefined, `the run should have gone on, it broke off: ${show(error)}`);
  return chunks;
}

export function described({ status, text }: Reply): string {
  return `${status} ${text.slice(0, 200)}`;
}

function parsed<T>(result: Parsed<T>, what: string): T {
  ensure(result.ok, `${what} is malformed: ${result.ok ? "" : result.reason}`);
  return result.value;
}
