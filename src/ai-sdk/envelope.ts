import type { ElicitationRequest, ElicitationResolution } from "../contract/contract.ts";
import { parseElicitationRequest, parseResolution } from "../contract/guard.ts";
import { isObject } from "../contract/json.ts";
import { parseJson } from "../contract/parse-json.ts";

type JsonValue = null | string | number | boolean | JsonValue[] | JsonObject;
interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** A request, or its outcome, as the JSON text of one frame of an OpenAI-compatible stream (contract, section 3). */
export type Envelope =
  | ElicitationRequest
  | { type: "elicitation-resolved"; elicitationId: string; resolution: ElicitationResolution };

const PROVIDER = "elicit-kit";

/**
 * An envelope as a `custom` part of AI SDK 7: in a provider's stream, in a UI message stream and in a message. A model
 * can be made to print such text, so it counts as a request only when the server has confirmed it.
 */
export interface EnvelopePart {
  type: "custom";
  kind: `${typeof PROVIDER}.${Envelope["type"]}`;
  providerMetadata: { [PROVIDER]: JsonObject };
}

/** The part for a text that is exactly one envelope, without white space around it; `undefined` for any other text. */
export function toEnvelopePart(text: string): EnvelopePart | undefined {
  // Fast path: nearly all texts return here.
  if (!text.startsWith("{") || !text.endsWith("}")) return undefined;
  const value = parseJson(text);
  const envelope = parseEnvelope(value);
  if (envelope === undefined || !isJsonObject(value)) return undefined;
  return { type: "custom", kind: `${PROVIDER}.${envelope.type}`, providerMetadata: { [PROVIDER]: value } };
}

/** Whether a part or chunk is an envelope. */
export function isEnvelopePart(part: object): boolean {
  if (!("type" in part) || part.type !== "custom" || !("kind" in part)) return false;
  return part.kind === `${PROVIDER}.elicitation-request` || part.kind === `${PROVIDER}.elicitation-resolved`;
}

export function readEnvelopePart(part: object): Envelope | undefined {
  if (!isEnvelopePart(part) || !("providerMetadata" in part) || !isObject(part.providerMetadata))
    return undefined;
  return parseEnvelope(part.providerMetadata[PROVIDER]);
}

function parseEnvelope(value: unknown): Envelope | undefined {
  if (!isObject(value)) return undefined;
  const { type, elicitationId } = value;
  if (type !== "elicitation-resolved") {
    const request = parseElicitationRequest(value);
    return request.ok ? request.value : undefined;
  }
  const resolution = parseResolution(value["resolution"]);
  return resolution.ok && typeof elicitationId === "string"
    ? { type, elicitationId, resolution: resolution.value }
    : undefined;
}

/** For values that come from JSON. */
const isJsonObject = (value: unknown): value is JsonObject => isObject(value);
