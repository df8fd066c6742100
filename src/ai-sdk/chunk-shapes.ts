import { isObject } from "../contract/json.ts";

/** Major version of the AI SDK (`ai`) that a chat runs on. */
export type AiSdkVersion = 5 | 6 | 7;

type Chunk = Readonly<Record<string, unknown>>;
type Test = (value: unknown, version: AiSdkVersion) => boolean;

/** The chunk types of a UI message stream, each with its required fields. */
const REQUIRED: Readonly<Record<string, string>> = {
  start: "",
  finish: "",
  abort: "",
  error: "errorText",
  "message-metadata": "messageMetadata",
  "start-step": "",
  "finish-step": "",
  "reset-step": "",
  "text-start": "id",
  "text-delta": "id delta",
  "text-end": "id",
  "reasoning-start": "id",
  "reasoning-delta": "id delta",
  "reasoning-end": "id",
  "tool-input-start": "toolCallId toolName",
  "tool-input-delta": "toolCallId inputTextDelta",
  "tool-input-available": "toolCallId toolName input",
  "tool-input-error": "toolCallId toolName input errorText",
  "tool-approval-request": "approvalId toolCallId",
  "tool-approval-response": "approvalId approved",
  "tool-output-available": "toolCallId output",
  "tool-output-error": "toolCallId errorText",
  "tool-output-denied": "toolCallId",
  custom: "kind",
  "source-url": "sourceId url",
  "source-document": "sourceId mediaType title",
  file: "url mediaType",
  "reasoning-file": "url mediaType",
  "steering-message": "id parts",
};

/** The version that introduced a chunk type. Types of version 5 are not listed. */
const SINCE: Readonly<Record<string, AiSdkVersion>> = {
  "tool-approval-request": 6,
  "tool-output-denied": 6,
  "reset-step": 7,
  "tool-approval-response": 7,
  custom: 7,
  "reasoning-file": 7,
  "steering-message": 7,
};

/** A finish reason that only this version knows. */
const NEWEST_REASON = { 5: "unknown", 6: "other", 7: "interrupted" };

const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";

/** The expected type of a field, in any chunk. Fields that are not listed may have any type. */
const FIELDS: Readonly<Record<string, Test>> = {
  id: text,
  messageId: text,
  delta: text,
  reason: text,
  errorText: text,
  kind: text,
  url: text,
  mediaType: text,
  title: text,
  filename: text,
  sourceId: text,
  toolCallId: text,
  toolName: text,
  inputTextDelta: text,
  approvalId: text,
  signature: text,
  approved: flag,
  isAutomatic: flag,
  providerExecuted: flag,
  preliminary: flag,
  dynamic: flag,
  transient: flag,
  toolMetadata: isObject,
  providerMetadata: (value) => isObject(value) && Object.values(value).every(isObject),
  inputEncoding: (value) => value === "json" || value === "text",
  finishReason: (value, version) =>
    ["stop", "length", "content-filter", "tool-calls", "error", "other", NEWEST_REASON[version]].some(
      (reason) => reason === value,
    ),
  // Not checked further, because only servers with the newest AI SDK send these.
  citations: Array.isArray,
  parts: Array.isArray,
};

/**
 * The names of the fields that a version of the AI SDK would not accept, usually none. `undefined`: it does not know the
 * type of the chunk, or a required field is missing or invalid. The AI SDK ends the chat at a chunk that it does not accept.
 */
export function invalidFields(chunk: Chunk, version: AiSdkVersion): readonly string[] | undefined {
  const { type } = chunk;
  if (typeof type !== "string") return undefined;
  if (type.startsWith("data-")) return invalidFieldNames(chunk, "data", version, /^(id|transient)$/);
  return (ownValue(SINCE, type) ?? 5) > version
    ? undefined
    : invalidFieldNames(chunk, ownValue(REQUIRED, type), version);
}

/** Checks only the fields whose name matches `ours`. */
function invalidFieldNames(
  value: Chunk,
  required: string | undefined,
  version: AiSdkVersion,
  ours = /./,
): string[] | undefined {
  const names = Object.keys(value).filter(
    (name) => ours.test(name) && ownValue(FIELDS, name)?.(value[name], version) === false,
  );
  const isWhole = required
    ?.split(" ")
    .every((name) => name === "" || (Object.hasOwn(value, name) && !names.includes(name)));
  return isWhole === true ? names : undefined;
}

/** Reads own properties only, because a server may choose a name that every object inherits, such as `constructor`. */
function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
