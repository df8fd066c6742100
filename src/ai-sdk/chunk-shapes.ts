import { isObject } from "../protocol/json.ts";

/** Major version of the AI SDK (`ai`) that a chat runs on. */
export type AiSdkVersion = 5 | 6 | 7;

const TOOL = "providerExecuted?:flag providerMetadata?:metadata toolMetadata?:record dynamic?:flag";

/**
 * The chunks of a UI message stream: the version that brought the type, then its fields as `name:kind`, `?` for
 * optional. Fields that are not named here are carried along by every version.
 */
const CHUNKS: Readonly<Record<string, string>> = {
  start: "5 messageId?:text",
  finish: "5 finishReason?:finishReason",
  abort: "5 reason?:text",
  error: "5 errorText:text",
  "message-metadata": "5 messageMetadata:any",
  "start-step": "5",
  "finish-step": "5",
  "reset-step": "7",
  "text-start": "5 id:text providerMetadata?:metadata",
  "text-delta": "5 id:text delta:text providerMetadata?:metadata",
  "text-end": "5 id:text citations?:citations providerMetadata?:metadata",
  "reasoning-start": "5 id:text providerMetadata?:metadata",
  "reasoning-delta": "5 id:text delta:text providerMetadata?:metadata",
  "reasoning-end": "5 id:text providerMetadata?:metadata",
  "tool-input-start": `5 toolCallId:text toolName:text inputEncoding?:encoding title?:text ${TOOL}`,
  "tool-input-delta": "5 toolCallId:text inputTextDelta:text",
  "tool-input-available": `5 toolCallId:text toolName:text input:any title?:text ${TOOL}`,
  "tool-input-error": `5 toolCallId:text toolName:text input:any errorText:text title?:text ${TOOL}`,
  "tool-approval-request": "6 approvalId:text toolCallId:text reason?:text isAutomatic?:flag signature?:text",
  "tool-approval-response":
    "7 approvalId:text approved:flag reason?:text providerExecuted?:flag providerMetadata?:metadata",
  "tool-output-available": `5 toolCallId:text output:any preliminary?:flag ${TOOL}`,
  "tool-output-error": `5 toolCallId:text errorText:text ${TOOL}`,
  "tool-output-denied": "6 toolCallId:text",
  custom: "7 kind:text providerMetadata?:metadata",
  "source-url": "5 sourceId:text url:text title?:text providerMetadata?:metadata",
  "source-document": "5 sourceId:text mediaType:text title:text filename?:text providerMetadata?:metadata",
  file: "5 url:text mediaType:text providerMetadata?:metadata",
  "reasoning-file": "7 url:text mediaType:text providerMetadata?:metadata",
  "steering-message": "7 id:text parts:steering",
};
const DATA = { since: 5, fields: fieldsOf("id?:text data:any transient?:flag") };

/** Objects within chunks. */
const CITATION = fieldsOf("source:citationSource startIndex?:index endIndex?:index citedText?:text");
const CITATION_SOURCES = new Map([
  ["url", fieldsOf("type:source id:text url:text title?:text providerMetadata?:metadata")],
  [
    "document",
    fieldsOf("type:source id:text mediaType:text title:text filename?:text providerMetadata?:metadata"),
  ],
]);
const STEERING_PARTS = new Map([
  ["text", fieldsOf("text:text providerMetadata?:metadata")],
  [
    "file",
    fieldsOf("mediaType:text url:text filename?:text providerReference?:texts providerMetadata?:metadata"),
  ],
]);

const FINISH_REASONS = new Set(["stop", "length", "content-filter", "tool-calls", "error", "other"]);

const KINDS: Readonly<Record<string, (value: unknown, version: AiSdkVersion) => boolean>> = {
  any: () => true,
  text: (value) => typeof value === "string",
  flag: (value) => typeof value === "boolean",
  index: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  record: isObject,
  texts: (value) => isObject(value) && Object.values(value).every((one) => typeof one === "string"),
  metadata: (value) => isObject(value) && Object.values(value).every(isObject),
  encoding: (value) => value === "json" || value === "text",
  source: (value) => value === "source",
  finishReason: (value, version) =>
    typeof value === "string" &&
    (FINISH_REASONS.has(value) ||
      (value === "unknown" && version === 5) ||
      (value === "interrupted" && version === 7)),
  citations: (value) => Array.isArray(value) && value.every((one) => fits(one, CITATION)),
  citationSource: (value) =>
    isObject(value) && fits(value, CITATION_SOURCES.get(String(value["sourceType"]))),
  steering: (value) =>
    Array.isArray(value) &&
    value.every((one) => isObject(one) && fits(one, STEERING_PARTS.get(String(one["type"])))),
};

interface Field {
  name: string;
  kind: string;
  isOptional: boolean;
}

const SHAPES = new Map(
  Object.entries(CHUNKS).map(([type, fields]) => [
    type,
    { since: Number(fields[0]), fields: fieldsOf(fields) },
  ]),
);

/**
 * Holds a chunk against what a version of the AI SDK takes: it ends the whole chat over any other chunk. Gives the
 * names of the optional fields that would have to go for the chunk to fit (usually none), or `undefined` when the type
 * is not known to that version or a required field does not fit.
 */
export function misfitsOf(
  chunk: Readonly<Record<string, unknown>>,
  version: AiSdkVersion,
): readonly string[] | undefined {
  const { type } = chunk;
  if (typeof type !== "string") return undefined;
  const shape = type.startsWith("data-") ? DATA : SHAPES.get(type);
  return shape === undefined || shape.since > version ? undefined : misfits(chunk, shape.fields, version);
}

function misfits(
  value: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  version: AiSdkVersion,
): string[] | undefined {
  const names: string[] = [];
  for (const { name, kind, isOptional } of fields) {
    const part = Object.hasOwn(value, name) ? value[name] : undefined;
    if (part === undefined ? isOptional : KINDS[kind]?.(part, version)) continue;
    if (!isOptional) return undefined;
    names.push(name);
  }
  return names;
}

function fits(value: unknown, fields: readonly Field[] | undefined): boolean {
  return fields !== undefined && isObject(value) && misfits(value, fields, 7)?.length === 0;
}

function fieldsOf(text: string): Field[] {
  return [...text.matchAll(/(\w+)(\?)?:(\w+)/g)].map(([, name = "", mark, kind = ""]) => {
    return { name, kind, isOptional: mark !== undefined };
  });
}
