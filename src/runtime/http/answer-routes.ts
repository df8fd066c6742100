import { isId } from "../../base/ids.ts";
import type { Hono } from "hono/tiny";
import { type AnswerAck, type ElicitationResponse, MAX_ANSWER_BYTES } from "../../contract/contract.ts";
import { parseElicitationResponse } from "../../contract/guard.ts";
import { isObject } from "../../contract/json.ts";
import { jsonBytes } from "../../contract/json-bytes.ts";
import type { User } from "../../base/identity.ts";
import { SECRET_PATTERN } from "../../base/seal.ts";
import { nextTask } from "../../base/deadlines.ts";
import { currentRequest, outcomeOf, statusReport } from "../request/record.ts";
import type { AnswerResult, EndedResult } from "../request/answer-result.ts";
import type { CountWrites } from "../../base/write-limit.ts";
import { tooMany } from "./admission.ts";
import { jsonReply, notFound, notSignedIn, refuse } from "../../base/reply.ts";
import type { RouteContext } from "./route-context.ts";

/** The largest number of answers in one message. It is far above the size of any round. */
const MAX_ANSWERS = 100;

/** Adds the routes of section 4 of the contract, and the binding of the hosted page (section 6). */
export function addAnswerRoutes(app: Hono, context: RouteContext): void {
  const { elicitations, clock, authenticate } = context;

  app.post("/api/elicitation-responses", async (c) => {
    const request = c.req.raw;
    const write = await readWrite(request, context);
    if (write instanceof Response) return write;
    const { user, body } = write;
    const { conversationId } = body;
    if (!isId(conversationId)) return refuse(400, "conversationId is missing.");
    const parsed = parseElicitationResponse(body);
    if (!parsed.ok) return refuse(400, parsed.reason);
    const { elicitationId } = parsed.value;
    const result = await elicitations.answer({ ...parsed.value, conversationId }, user.id);
    const stream = result.kind === "settled" && (await continueTurn(context, request, user, elicitationId));
    return stream || answerReply(elicitationId, result);
  });

  app.get("/api/elicitations", async (c) => {
    const reader = await context.admission.reader(c.req.raw);
    if (reader instanceof Response) return reader;
    const conversationId = c.req.query("conversationId");
    if (conversationId === undefined && context.inbox !== undefined) {
      return context.inbox.reply(context, reader, c.req);
    }
    if (!isId(conversationId)) return refuse(400, "conversationId is missing.");
    const open = await elicitations.listOpen(conversationId, reader.user.id);
    for (const { turnId } of open) context.showing?.seen(turnId);
    return jsonReply(200, { elicitations: open.map(currentRequest) });
  });

  app.get("/api/elicitations/:id", async (c) => {
    const user = await authenticate(c.req.raw);
    if (user === undefined) return notSignedIn();
    const elicitationId = c.req.param("id");
    const own = await elicitations.find(elicitationId, user.id);
    const record = own ?? (await elicitations.findToAnswer(elicitationId, user.id));
    if (record === undefined) return notFound();
    if (own !== undefined) context.showing?.seen(own.turnId);
    return jsonReply(200, statusReport(record, clock.now()));
  });

  app.get("/api/elicitations/:id/link", async (c) => {
    const reader = await context.admission.reader(c.req.raw);
    if (reader instanceof Response) return reader;
    const elicitationId = c.req.param("id");
    const record = await elicitations.findToAnswer(elicitationId, reader.user.id);
    const link = elicitations.linkFor(elicitationId);
    if (record === undefined || link === undefined) return notFound();
    const outcome = outcomeOf(record);
    return outcome === undefined ? jsonReply(200, { link }) : endedReply({ outcome });
  });

  app.post("/api/elicitations/:id/extend", async (c) => {
    const write = await readWrite(c.req.raw, context);
    if (write instanceof Response) return write;
    const elicitationId = c.req.param("id");
    const result = await elicitations.extend(elicitationId, write.user.id);
    switch (result.kind) {
      case "extended":
        return jsonReply(200, { success: true, elicitationId, expiresAt: result.expiresAt });
      case "forbidden":
        return refuse(403, "This request gets no more time. `extendableUntil` says until when it can.");
      case "ended":
        return endedReply(result);
      default:
        return notFound();
    }
  });

  app.post("/api/elicitations/:id/bind", async (c) => {
    const write = await readWrite(c.req.raw, context);
    if (write instanceof Response) return write;
    const { user, body } = write;
    const { challenge } = body;
    if (typeof challenge !== "string" || !SECRET_PATTERN.test(challenge)) {
      return refuse(400, "challenge must be the 43 characters that the page has sent.");
    }
    const elicitationId = c.req.param("id");
    const ticket = await elicitations.bind(elicitationId, user, challenge);
    if (ticket !== undefined) return jsonReply(200, { success: true, elicitationId, ticket });
    const record = await elicitations.findToAnswer(elicitationId, user.id);
    const outcome = record === undefined ? undefined : outcomeOf(record);
    return outcome === undefined ? notFound() : endedReply({ outcome });
  });
}

/**
 * Reads the user and the body of a write. Returns a `Response` if the write is refused. `count` is a separate limit,
 * besides the limit of all writes.
 */
export async function readWrite(
  request: Request,
  { admission }: RouteContext,
  count?: CountWrites,
): Promise<Response | { user: User; body: Readonly<Record<string, unknown>> }> {
  const writer = await admission.person(request, MAX_ANSWER_BYTES);
  if (writer instanceof Response) return writer;
  const allowed = await count?.(writer, 1);
  if (allowed?.ok === false) return tooMany(allowed.retryAfter);
  const body = await admission.body(request, writer, MAX_ANSWER_BYTES);
  return body instanceof Response ? body : { user: writer.user, body: body.value };
}

/** The fast path: handles answers that arrive as parts of a message (contract, section 4). */
export async function answerByMessage(
  context: RouteContext,
  request: Request,
  message: { user: User | undefined; conversationId: string; parts: readonly unknown[] },
): Promise<Response> {
  const { user, conversationId, parts } = message;
  if (user === undefined) return notSignedIn();
  if (parts.length > MAX_ANSWERS) return refuse(400, `A message holds at most ${MAX_ANSWERS} answers.`);
  const answers: ElicitationResponse[] = [];
  for (const part of parts) {
    const parsed = parseElicitationResponse(isObject(part) && isObject(part["data"]) ? part["data"] : part);
    if (!parsed.ok) return refuse(400, parsed.reason);
    if (bytesOf(parsed.value) > MAX_ANSWER_BYTES) {
      return refuse(413, `An answer is larger than ${MAX_ANSWER_BYTES} bytes.`);
    }
    answers.push(parsed.value);
  }
  // The message itself was counted before its body was read.
  const refusal = await context.admission.countMore(user, answers.length - 1);
  if (refusal !== undefined) return refusal;

  const replies: { elicitationId: string; isSettled: boolean; reply: Response }[] = [];
  for (const answer of answers) {
    // Checking an answer can take long, so other requests run in between.
    if (replies.length > 0) await nextTask();
    const { elicitationId } = answer;
    const result = await context.elicitations.answer({ ...answer, conversationId }, user.id);
    const reply = answerReply(elicitationId, result);
    replies.push({ elicitationId, isSettled: result.kind === "settled", reply });
  }
  const success = replies.every(({ reply }) => reply.status < 300);
  const settled = success ? replies.find(({ isSettled }) => isSettled) : undefined;
  const stream = settled && (await continueTurn(context, request, user, settled.elicitationId));
  if (stream !== undefined) return stream;
  const [first] = replies;
  if (first !== undefined && replies.length === 1) return first.reply;
  const results = replies.map(async ({ elicitationId, reply }) => ({
    elicitationId,
    status: reply.status,
    body: await reply.json(),
  }));
  return jsonReply(200, { success, results: await Promise.all(results) });
}

/**
 * Replies with the stream of the turn that waited for this answer, from its beginning, if the client asks for it
 * (contract, section 4). `undefined`: send the usual reply.
 */
async function continueTurn(
  { chats: [{ surface }], replies }: RouteContext,
  { headers }: Request,
  user: User,
  elicitationId: string,
): Promise<Response | undefined> {
  if (headers.get("accept")?.toLowerCase().includes("text/event-stream") !== true) return undefined;
  const turn = await surface.find(user, { elicitationId });
  const stream = turn && replies.resume(turn, { user, key: `user ${user.id}` });
  return stream?.ok === true ? stream : undefined;
}

/** The size in bytes of UTF-8, as for the answer endpoint. */
function bytesOf({ elicitationId, action, content, note, remember, delegated }: ElicitationResponse): number {
  // Counts only the known properties, because unknown ones may be nested too deeply for JSON.stringify.
  return jsonBytes({ elicitationId, action, content, note, remember, delegated });
}

/** Creates the reply with the status and body of a result (contract, section 4). */
function answerReply(elicitationId: string, result: AnswerResult): Response {
  const success = { success: true, elicitationId } as const;
  switch (result.kind) {
    case "settled":
      return ackReply(200, {
        ...success,
        outcome: result.outcome,
        ...(result.alreadyProcessed && { alreadyProcessed: true }),
      });
    case "consented":
      return ackReply(200, { ...success, status: "consented" });
    case "pending":
      return ackReply(202, {
        ...success,
        status: "pending",
        lastError: result.lastError,
        byUser: result.byUser,
      });
    case "invalid":
      return refuse(400, "Some fields do not fit. The request is still open.", { errors: result.errors });
    case "ended":
      return endedReply(result);
    case "assigned":
      return refuse(409, `This request waits for somebody else: ${result.name}.`, { code: "assigned" });
    case "content-differs":
      return refuse(409, "This request was already answered, with other content.", {
        code: "content-differs",
      });
    case "not-delegable":
      return refuse(400, "This request has no `delegate`, so its user decides. It is still open.");
    case "expired":
      return refuse(410, "This request was not answered in time.", { outcome: "expired" });
    default:
      return notFound();
  }
}

/** `by` is the name of another user who has ended the request. */
export function endedReply({ outcome, by }: Omit<EndedResult, "kind">): Response {
  const who = by === undefined ? "" : ` by ${by}`;
  return refuse(409, `This request has already ended${who}: ${outcome}.`, { outcome });
}

function ackReply(status: 200 | 202, body: AnswerAck): Response {
  return jsonReply(status, body);
}
