/**
 * A server of the basic level of the contract, in one file, with Node alone: chat, one tool that asks, answers, status.
 * Run it with `node tiny-server.ts`, then check it with `npx elicit-kit conformance http://127.0.0.1:8000/run/api`.
 * It keeps everything in memory, and its agent is a script. Replace `signedIn` and `runAgent` with yours.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { pathToFileURL } from "node:url";

type Outcome = "accepted" | "declined" | "cancelled" | "expired" | "withdrawn";
type Answer = { readonly outcome: Outcome; readonly content?: Readonly<Record<string, unknown>> };

/** One open or ended request. The record contains its owner: an id in a body proves nothing. */
interface ElicitationRecord {
  readonly user: string;
  readonly conversationId: string;
  readonly expiresAt: number;
  /** Absent while it is open. */
  answer?: Answer;
  readonly settle: (answer: Answer) => void;
}

interface Turn {
  readonly user: string;
  readonly conversationId: string;
  readonly supportsElicitation: boolean;
  readonly signal: AbortSignal;
  /** Writes one chunk of the AI SDK's UI message stream. */
  readonly write: (chunk: Readonly<Record<string, unknown>>) => void;
}

const EXPIRES_IN_MS = 10 * 60_000;
const KEEP_ALIVE_MS = 15_000;
const KEEP_ENDED_MS = 60 * 60_000;
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024;

const records = new Map<string, ElicitationRecord>();

/** The user of this HTTP request. It comes from the session or the token, never from the body. */
function signedIn({ headers }: IncomingMessage): string | undefined {
  return /^Bearer (anna|ben)$/.exec(headers.authorization ?? "")?.[1];
}

// ── The agent: a script with one tool that asks ──────────────────────────────────────────────────────────────────────

const STAY = {
  type: "object",
  properties: {
    city: { type: "string", title: "City", minLength: 2 },
    nights: { type: "integer", title: "Nights", minimum: 1, maximum: 14 },
  },
  required: ["city", "nights"],
} as const;

/** Answers one message. A real agent calls its model here, and the model calls the tool. */
async function runAgent(text: string, turn: Turn): Promise<void> {
  if (!/hotel/i.test(text)) return say(turn, "I book hotels.");
  const toolCallId = `call-${randomUUID()}`;
  turn.write({ type: "tool-input-available", toolCallId, toolName: "book_hotel", input: {} });
  const output = await bookHotel(turn, toolCallId);
  turn.write({ type: "tool-output-available", toolCallId, output });
  say(turn, output);
}

async function bookHotel(turn: Turn, toolCallId: string): Promise<string> {
  if (!turn.supportsElicitation) {
    return 'Tool "book_hotel" needs information only the user has: City, Nights. Ask for it in your answer, or go on with defaults where they exist. Do not guess.';
  }
  const { outcome, content } = await elicit(turn, toolCallId, "Which hotel shall I book?", STAY);
  if (content !== undefined)
    return `Booked ${Number(content["nights"])} nights in ${String(content["city"])}.`;
  return `The information was not provided: ${REASONS[outcome]}`;
}

/** Text for the model. The outcomes differ: a decline is a no, a cancel only means "not now". */
const REASONS: Readonly<Record<Outcome, string>> = {
  accepted: "the answer had no content.",
  declined: "the user declined to give it. Do not ask again in this turn; say what is missing.",
  cancelled:
    "the user dismissed the request without deciding. Do not ask again in this turn; you may offer it later.",
  expired: "nobody answered within 10 minutes.",
  withdrawn: "the request was withdrawn.",
};

function say(turn: Turn, text: string): void {
  const id = randomUUID();
  turn.write({ type: "text-start", id });
  turn.write({ type: "text-delta", id, delta: text });
  turn.write({ type: "text-end", id });
}

// ── Asking: write the request to the stream, and wait ────────────────────────────────────────────────────────────────

async function elicit(
  turn: Turn,
  toolCallId: string,
  message: string,
  requestedSchema: unknown,
): Promise<Answer> {
  const elicitationId = randomBytes(16).toString("base64url");
  const expiresAt = Date.now() + EXPIRES_IN_MS;
  const request = {
    type: "elicitation-request",
    elicitationId,
    mode: "form",
    message,
    requestedSchema,
    requester: { name: "Tiny agent" },
    context: { trigger: "tool" },
    toolCallId,
    expiresAt: new Date(expiresAt).toISOString(),
  };
  const write = (data: unknown) => turn.write({ type: "data-elicitation-request", id: elicitationId, data });

  write(request);
  const answer = await new Promise<Answer>((resolve) => {
    const record: ElicitationRecord = {
      user: turn.user,
      conversationId: turn.conversationId,
      expiresAt,
      settle(given) {
        if (record.answer !== undefined) return; // the first answer wins
        record.answer = given;
        clearTimeout(timer);
        resolve(given);
      },
    };
    const timer = setTimeout(() => record.settle({ outcome: "expired" }), EXPIRES_IN_MS);
    turn.signal.addEventListener("abort", () => record.settle({ outcome: "withdrawn" }), { once: true });
    records.set(elicitationId, record);
  });
  setTimeout(() => records.delete(elicitationId), KEEP_ENDED_MS).unref();
  write({ ...request, resolution: { outcome: answer.outcome, at: new Date().toISOString() } });
  return answer;
}

// ── The routes ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** `POST /run/api/chat`: runs a turn and streams it. */
async function streamTurn(req: IncomingMessage, res: ServerResponse, user: string): Promise<void> {
  const body = await readJson(req, MAX_BODY_BYTES);
  const text = textOf(body);
  const conversationId = body["conversationId"] ?? body["id"] ?? randomUUID();
  if (text === undefined || typeof conversationId !== "string")
    throw new Refusal(400, "There is no message.");
  const left = new AbortController(); // A server of the full level keeps the turn for a page that comes back.
  res.on("close", () => left.abort());
  res.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-vercel-ai-ui-message-stream": "v1",
  });
  const keepAlive = setInterval(() => res.write(": keep-alive\n\n"), KEEP_ALIVE_MS);
  const write: Turn["write"] = (chunk) => void res.write(`data: ${JSON.stringify(chunk)}\n\n`);
  const supportsElicitation = req.headers["x-supports-elicitation"] === "true";
  try {
    write({ type: "start", messageId: randomUUID() });
    await runAgent(text, { user, conversationId, supportsElicitation, signal: left.signal, write });
    write({ type: "finish" });
  } catch {
    write({ type: "error", errorText: "The agent failed." });
  }
  clearInterval(keepAlive);
  res.end("data: [DONE]\n\n");
}

const OUTCOMES = { accept: "accepted", decline: "declined", cancel: "cancelled" } as const;

/** `POST /run/api/elicitation-responses`: ends a request of this user with an answer. */
async function takeAnswer(req: IncomingMessage, res: ServerResponse, user: string): Promise<void> {
  const { elicitationId, conversationId, action, content } = await readJson(req, MAX_ANSWER_BYTES);
  if (action !== "accept" && action !== "decline" && action !== "cancel") {
    throw new Refusal(400, "The action is accept, decline or cancel.");
  }
  const record = find(elicitationId, user);
  if (record.conversationId !== conversationId) throw new Refusal(404, UNKNOWN);
  const outcome = OUTCOMES[action];
  if (record.answer === undefined) {
    const errors = action === "accept" ? invalidFields(content) : [];
    if (errors.length > 0)
      throw new Refusal(400, "Some fields do not fit. The request is still open.", { errors });
    record.settle(action === "accept" && isObject(content) ? { outcome, content } : { outcome });
  } else if (record.answer.outcome !== outcome) {
    throw new Refusal(409, `The request has already ended: ${record.answer.outcome}.`);
  }
  reply(res, 200, { success: true, elicitationId, outcome });
}

/** `GET /run/api/elicitations/:id`: the status of a request of this user. Never its content. */
function readStatus(res: ServerResponse, user: string, elicitationId: string): void {
  const record = find(elicitationId, user);
  reply(res, 200, {
    elicitationId,
    status: record.answer?.outcome ?? "pending",
    expiresAt: new Date(record.expiresAt).toISOString(),
    now: new Date().toISOString(),
  });
}

const UNKNOWN = "There is no such request.";
/** Unknown ids and those of other users get the same 404. */
function find(elicitationId: unknown, user: string): ElicitationRecord {
  const record = typeof elicitationId === "string" ? records.get(elicitationId) : undefined;
  if (record?.user !== user) throw new Refusal(404, UNKNOWN);
  return record;
}

/** The invalid fields of `STAY`. The server checks each answer, because a page can send anything. */
function invalidFields(content: unknown): { field: string; code: string; message: string }[] {
  const { city, nights } = isObject(content) ? content : {};
  const wrong = [];
  if (typeof city !== "string" || city.length < 2) wrong.push("city");
  if (!Number.isInteger(nights) || Number(nights) < 1 || Number(nights) > 14) wrong.push("nights");
  return wrong.map((field) => ({ field, code: "invalid", message: "does not fit" }));
}

// ── HTTP ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A reply that refuses, as problem+json (RFC 9457). */
class Refusal extends Error {
  readonly problem: { readonly title: string; readonly status: number; readonly detail: string };

  constructor(code: number, detail: string, more: object = {}) {
    super(detail);
    this.problem = { title: "Refused", status: code, detail, ...more };
  }
}

async function readJson(req: IncomingMessage, limit: number): Promise<Record<string, unknown>> {
  // A form on another site cannot post this type.
  if (req.headers["content-type"]?.split(";")[0]?.trim() !== "application/json") {
    throw new Refusal(415, "Send application/json.");
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req) {
    size += part.length;
    if (size > limit) throw new Refusal(413, "The body is too large.");
    parts.push(part);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (isObject(body)) return body;
  } catch {} // refused below
  throw new Refusal(400, "The body is not a JSON object.");
}

/** The text of the last message. */
function textOf(body: Record<string, unknown>): string | undefined {
  const last: unknown = Array.isArray(body["messages"]) ? body["messages"].at(-1) : undefined;
  const parts: unknown = isObject(last) ? last["parts"] : undefined;
  if (!Array.isArray(parts)) return undefined;
  return parts
    .map((part: unknown) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function reply(res: ServerResponse, code: number, body: object): void {
  const type = code < 400 ? "application/json" : "application/problem+json";
  res.writeHead(code, { "content-type": type, "cache-control": "no-store" }).end(JSON.stringify(body));
}

async function route(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const user = signedIn(req);
  if (user === undefined) throw new Refusal(401, "Sign in.");
  const { pathname } = new URL(req.url ?? "/", "http://127.0.0.1");
  const id = /^\/run\/api\/elicitations\/([\w.~-]+)$/.exec(pathname)?.[1];
  if (req.method === "POST" && pathname === "/run/api/chat") return streamTurn(req, res, user);
  if (req.method === "POST" && pathname === "/run/api/elicitation-responses")
    return takeAnswer(req, res, user);
  if (req.method === "GET" && id !== undefined) return readStatus(res, user, id);
  throw new Refusal(404, "There is no such route.");
}

export const server = createServer((req, res) => {
  route(req, res).catch((error: unknown) => {
    const refusal = error instanceof Refusal ? error : new Refusal(500, "The server failed.");
    if (res.headersSent) res.end();
    else reply(res, refusal.problem.status, refusal.problem);
  });
});

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) server.listen(8000, "127.0.0.1");
