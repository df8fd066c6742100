import { type ElicitationRequest, REQUEST_PART_TYPE } from "../contract/contract.ts";
import { parseResolution } from "../contract/guard.ts";
import { isObject } from "../contract/json.ts";
import { parseJson } from "../contract/parse-json.ts";
import { readRequest } from "../client/read-request.ts";
import { type AiSdkVersion, invalidFields } from "./chunk-shapes.ts";
import { isEnvelopePart } from "./envelope.ts";

export interface ChunkSanitizerOptions {
  /** Called for every well-formed request, whether it is new or repeated. */
  onRequest?: ((request: ElicitationRequest) => void) | undefined;
  /** Called with the reason for a malformed request, which cannot be shown. */
  onMalformed?: ((reason: string) => void) | undefined;
  /** The base for a relative `url` of a request. @default "/run/api" */
  api?: string | undefined;
  /** Called when a model's text claims that a request was made or has ended. Do not show the claim: ask the server. */
  onUnconfirmed?: (() => void) | undefined;
  /**
   * What to do with a chunk that the AI SDK does not know: drop it, or pass it on as a `data-unknown` part whose `data` is
   * the chunk.
   * @default "drop"
   */
  unknownChunks?: "drop" | "data" | undefined;
  /**
   * The major version of `ai` that the chat runs on. A chunk type of a later version ends a chat on an earlier one.
   * @default 7
   */
  aiSdk?: AiSdkVersion | undefined;
}

type Chunk = Readonly<Record<string, unknown>>;

/** What to do with an event: pass it on unchanged, drop it, or replace it with this chunk. */
export type Sanitized = "keep" | "drop" | Chunk;

/**
 * Makes the chunks of one stream valid for the AI SDK, which ends the whole chat at the first invalid chunk. The returned
 * function takes the data of an event and returns what to do with it. A bare `elicitation-request` becomes the data part.
 * A bare `elicitation-resolved` becomes the same part with its resolution. Throws when the data is nested too deeply.
 */
export function createChunkSanitizer(options: ChunkSanitizerOptions): (data: string) => Sanitized {
  const { onRequest, onUnconfirmed, unknownChunks = "drop", aiSdk = 7, api = "/run/api" } = options;
  const asked = new Map<unknown, ElicitationRequest>();

  function observe(value: unknown): ElicitationRequest | undefined {
    const parsed = readRequest(value, api);
    if (!parsed.ok) {
      options.onMalformed?.(parsed.reason);
      return undefined;
    }
    asked.set(parsed.value.elicitationId, parsed.value);
    onRequest?.(parsed.value);
    return parsed.value;
  }

  function requestIn(chunk: Chunk): ElicitationRequest | undefined {
    switch (chunk["type"]) {
      case REQUEST_PART_TYPE:
        return observe(chunk["data"]);
      case "elicitation-request":
        return observe(chunk);
      case "elicitation-resolved": {
        const request = asked.get(chunk["elicitationId"]);
        const resolution = parseResolution(chunk["resolution"]);
        return request && resolution.ok ? observe({ ...request, resolution: resolution.value }) : undefined;
      }
      default:
        return undefined;
    }
  }

  function sanitizeRequest(chunk: Chunk, request: ElicitationRequest): Sanitized {
    const id = request.elicitationId;
    if (chunk["type"] !== REQUEST_PART_TYPE) return { type: REQUEST_PART_TYPE, id, data: request };
    // Without the id, the outcome of a request would become a second part beside it.
    return chunk["id"] === id && chunk["data"] === request
      ? sanitize(chunk)
      : validPartOf({ ...chunk, id, data: request });
  }

  function sanitize(chunk: Chunk): Sanitized {
    const valid = validPartOf(chunk);
    return valid === chunk ? "keep" : valid;
  }

  /** Returns the chunk without its invalid fields, or the chunk itself if it has none. */
  function validPartOf(chunk: Chunk): "drop" | Chunk {
    const invalid = invalidFields(chunk, aiSdk);
    if (invalid?.length === 0) return chunk;
    if (invalid !== undefined) {
      return Object.fromEntries(Object.entries(chunk).filter(([name]) => !invalid.includes(name)));
    }
    // The user must see that there was an error, whatever its format.
    if (chunk["type"] === "error") return { type: "error", errorText: errorTextOf(chunk) };
    return unknownChunks === "data" ? { type: "data-unknown", data: chunk } : "drop";
  }

  return (data) => {
    if (data === "[DONE]") return "keep";
    const chunk = parseJson(data);
    if (!isObject(chunk)) return "drop";
    if (isEnvelopePart(chunk)) onUnconfirmed?.();
    const request = requestIn(chunk);
    // Nearly all chunks need no closer check. Keys may be written with escapes.
    const allowed = /proto|\\u00/.test(data) ? withoutForbiddenKeys(data) : undefined;
    if (allowed === undefined)
      return request === undefined ? sanitize(chunk) : sanitizeRequest(chunk, request);
    // Without those keys the request would ask another question. The client gets the whole request, but the messages do
    // not.
    return request === undefined && isObject(allowed) ? validPartOf(allowed) : "drop";
  };
}

/** Servers with their own error format call the text `error` or `message`. */
function errorTextOf({ error, message }: Chunk): string {
  const text = [error, message].find((one) => typeof one === "string");
  return typeof text === "string" ? text : "The server reported an error.";
}

/**
 * The AI SDK throws at objects with a key that could reach a prototype. Returns the value without such keys, or
 * `undefined` when it has none. Throws when the value is nested too deeply.
 */
function withoutForbiddenKeys(json: string): unknown {
  let hasAny = false;
  const rest: unknown = JSON.parse(json, (key, value: unknown) => {
    const isForbidden =
      key === "__proto__" || (key === "constructor" && isObject(value) && Object.hasOwn(value, "prototype"));
    hasAny ||= isForbidden;
    return isForbidden ? undefined : value;
  });
  return hasAny ? rest : undefined;
}
