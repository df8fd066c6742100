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
  return { ok: true, value: { threadId, runId, messages, state, resume: entries, isRecovery } };
}

type Part = { type: "text"; text: string } | { type: "file"; mediaType: string; url: string };

/**
 * Converts messages to UI messages: the texts of the user and the agent. A client's tool calls, reasoning and system
 * messages are left out, because it could have forged them.
 */
export function uiMessagesOf(messages: readonly AgUiMessage[]): readonly object[] {
  return messages.flatMap(({ id, role, content }) => {
    if (role !== "user" && role !== "assistant") return [];
    const parts = partsOf(content);
    return parts.length === 0 ? [] : [{ id, role, parts }];
  });
}

function partsOf(content: unknown): readonly Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.flatMap(partOf) : [];
}

function partOf(part: unknown): readonly Part[] {
  if (!isObject(part)) return [];
  const { type, text, source } = part;
  if (type === "text" && typeof text === "string") return [{ type, text }];
  const { type: kind, value, mimeType } = isObject(source) ? source : {};
  if (kind !== "data" || typeof value !== "string" || typeof mimeType !== "string") return [];
  return [{ type: "file", mediaType: mimeType, url: `data:${mimeType};base64,${value}` }];
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_ID_LENGTH;
}

function isMessage(value: unknown): value is AgUiMessage {
  return isObject(value) && typeof value["id"] === "string" && typeof value["role"] === "string";
}
