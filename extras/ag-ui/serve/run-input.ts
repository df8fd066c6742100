import { isObject } from "../../../src/contract/json.ts";
import { METADATA_KEY } from "../wire/translate.ts";

/** A message of a thread, as the client keeps it. */
export interface AgUiMessage {
  readonly id: string;
  readonly role: string;
  readonly [member: string]: unknown;
}

/** The input of a run from a client. */
export interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  readonly messages: readonly AgUiMessage[];
  readonly state: unknown;
  /** Absent if the run resumes nothing. */
  readonly resume: readonly unknown[] | undefined;
  /** Whether the client only asks for open interrupts, without a new turn. */
  readonly isRecovery: boolean;
}

const MAX_ID_LENGTH = 256;
const MAX_RESUME = 100;
const MAX_NAME_LENGTH = 256;

/** Reads the body of a run, or returns what is wrong with it. */
export function readRunInput(body: unknown): { ok: true; value: RunInput } | { ok: false; reason: string } {
  if (!isObject(body)) return { ok: false, reason: "The body is not a JSON object." };
  const { threadId, runId, messages, state = {}, resume, forwardedProps } = body;
  if (!isId(threadId) || !isId(runId)) return { ok: false, reason: "threadId and runId must be ids." };
  if (!Array.isArray(messages) || !messages.every(isMessage)) {
    return { ok: false, reason: "messages must be a list of messages with id and role." };
  }
  // Clients in Python send null for a member without a value.
  if (isGiven(resume) && (!Array.isArray(resume) || resume.length > MAX_RESUME)) {
    return { ok: false, reason: `resume must be a list of at most ${MAX_RESUME} entries.` };
  }
  const ours = isObject(forwardedProps) ? forwardedProps[METADATA_KEY] : undefined;
  const isRecovery = isObject(ours) && ours["recover"] === true;
  const entries = Array.isArray(resume) && resume.length > 0 ? resume : undefined;
  const value = {
    threadId,
    runId,
    messages: messages.map(withoutBinary),
    state,
    resume: entries,
    isRecovery,
  };
  return { ok: true, value };
}

/** A run repeats the client's messages. AG-UI 1.0 refuses `binary`, and both versions have the other parts. */
function withoutBinary(message: AgUiMessage): AgUiMessage {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  return { ...message, content: content.map((part) => (isBinary(part) ? mediaOf(part) : part)) };
}

const isBinary = (part: unknown) => isObject(part) && part["type"] === "binary";

function mediaOf(part: Readonly<Record<string, unknown>>): object {
  const { mimeType, data, url } = part;
  const source = isText(data) ? { type: "data", value: data } : isText(url) && { type: "url", value: url };
  if (source === false || typeof mimeType !== "string") return unread(part);
  const [, type = "document"] = /^(image|audio|video)\//.exec(mimeType) ?? [];
  const filename = filenameOf(part);
  return { type, source: { ...source, mimeType }, ...(filename !== undefined && { metadata: { filename } }) };
}

const isText = (value: unknown) => typeof value === "string" && value !== "";

type Part =
  | { type: "text"; text: string }
  | { type: "file"; mediaType: string; url: string; filename?: string };

/**
 * Converts messages to UI messages: the texts and files of the user and the agent. A client's tool calls, reasoning and
 * system messages are left out, because it could have forged them. Every message of the user stays, because without it
 * the turn would answer an earlier one.
 */
export function uiMessagesOf(messages: readonly AgUiMessage[]): readonly object[] {
  return messages.flatMap(({ id, role, content }) => {
    if (role === "user") {
      const parts = partsOf(content).map((part) => partOf(part) ?? unread(part));
      return [{ id, role, parts: parts.length === 0 ? [EMPTY] : parts }];
    }
    if (role !== "assistant") return [];
    const parts = partsOf(content).flatMap((part) => partOf(part) ?? []);
    return parts.length === 0 ? [] : [{ id, role, parts }];
  });
}

const EMPTY: Part = { type: "text", text: "[The message is empty.]" };

function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

/** `undefined` for a part that cannot be read without a request to another server. */
function partOf(part: unknown): Part | undefined {
  if (!isObject(part)) return undefined;
  const { type, text } = part;
  if (type === "text" && typeof text === "string") return { type, text };
  const { data, mimeType } = fileOf(part);
  if (typeof data !== "string" || typeof mimeType !== "string") return undefined;
  const filename = filenameOf(part);
  return {
    type: "file",
    mediaType: mimeType,
    url: `data:${mimeType};base64,${data}`,
    ...(filename === undefined ? {} : { filename }),
  };
}

/** The bytes in base64 and their media type. */
function fileOf(part: Readonly<Record<string, unknown>>): { data?: unknown; mimeType?: unknown } {
  const source = isObject(part["source"]) ? part["source"] : part;
  return { data: source["type"] === "data" ? source["value"] : undefined, mimeType: source["mimeType"] };
}

function filenameOf({ filename, metadata }: Readonly<Record<string, unknown>>): string | undefined {
  const name = filename ?? (isObject(metadata) ? metadata["filename"] : undefined);
  return typeof name === "string" && name !== "" ? name.slice(0, MAX_NAME_LENGTH) : undefined;
}

/** Tells the agent about a part that it does not get. A link is never fetched: it may lead into the server's network. */
function unread(part: unknown): Part {
  if (!isObject(part)) return { type: "text", text: "[A part of the message could not be read.]" };
  const about = [filenameOf(part), fileOf(part).mimeType ?? part["type"]]
    .filter((word) => typeof word === "string")
    .map((word) => word.slice(0, MAX_NAME_LENGTH));
  return {
    type: "text",
    text: `[An attachment could not be read: ${about.join(", ")}. Only attachments sent with the message are read, not links.]`,
  };
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_ID_LENGTH;
}

function isMessage(value: unknown): value is AgUiMessage {
  return isObject(value) && typeof value["id"] === "string" && typeof value["role"] === "string";
}
