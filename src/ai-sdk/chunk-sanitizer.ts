import { type ElicitationRequest, REQUEST_PART_TYPE } from "../contract/contract.ts";
import { parseResolution } from "../contract/guard.ts";
import { isObject } from "../contract/json.ts";
import { readRequest } from "../client/read-request.ts";
import { type AiSdkVersion, invalidFields } from "./chunk-shapes.ts";
import { isEnvelopePart } from "./envelope.ts";

export interface ChunkSanitizerOptions {
  /** Called for every well-formed request, whether it is new or repeated. */
  onRequest?: ((request: ElicitationRequest) => void) | undefined;
  /** Called for a request that is malformed, and so cannot be shown, with the reason. */
  onMalformed?: ((reason: string) => void) | undefined;
  /** What the `url` of a request is relative to. @default "/run/api" */
  api?: string | undefined;
  /**
   * Called when a model's text claims that a request was made or has ended. Show nothing of it: ask the server.
   */
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

/** What to do with an event: pass it on unchanged, drop it, or write this chunk in its place. */
export type Sanitized = "keep" | "drop" | Chunk;

/**
 * Makes the chunks of one stream acceptable to the AI SDK, which ends the whole chat at the first chunk that is not: takes
 * the data of an event and returns what to do with it. A bare `elicitation-request` becomes the data part, a bare
 * `elicitation-resolved` the same part with its resolution. Throws when the data is nested too deeply.
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
    // Without the id, the end of a request would become a second part beside it.
    return chunk["id"] === id && chunk["data"] === request
      ? sanitize(chunk)
      : validPartOf({ ...chunk, id, data: request });
  }

  function sanitize(chunk: Chunk): Sanitized {
    const valid = validPartOf(chunk);
    return valid === chunk ? "keep" : valid;
  }

  /** The chunk without its invalid fields; the chunk itself when it has none. */
  function validPartOf(chunk: Chunk): "drop" | Chunk {
    const invalid = invalidFields(chunk, aiSdk);
    if (invalid?.length === 0) return chunk;
    if (invalid !== undefined) {
      return Object.fromEntries(Object.entries(chunk).filter(([name]) => !invalid.includes(name)));
    }
    // The user must see that there was an error, whatever its shape.
    if (chunk["type"] === "error") return { type: "error", errorText: errorTextOf(chunk) };
    return unknownChunks === "data" ? { type: "data-unknown", data: chunk } : "drop";
  }

  return (data) => {
    if (data === "[DONE]") return "keep";
    const chunk = parseJson(data);
    if (!isObject(chunk)) return "drop";
    if (isEnvelopePart(chunk)) onUnconfirmed?.();
    const request = requestIn(chunk);
    // Nearly all chunks need no closer look. The keys may be written with escapes.
    const allowed = /proto|\\u00/.test(data) ? withoutForbiddenKeys(data) : undefined;
    if (allowed === undefined)
      return request === undefined ? sanitize(chunk) : sanitizeRequest(chunk, request);
    // Without those keys the request would ask something else: the client gets it whole, the messages do not.
    return request === undefined && isObject(allowed) ? validPartOf(allowed) : "drop";
  };
}

/** Servers with an error shape of their own name its text `error` or `message`. */
function errorTextOf({ error, message }: Chunk): string {
  const text = [error, message].find((one) => typeof one === "string");
  return typeof text === "string" ? text : "The server reported an error.";
}

/**
 * The AI SDK throws at objects with a key that could reach a prototype. Returns the value without such keys, or
 * `undefined` when it has none. Throws when the value is nested too deeply for a look at all of it.
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
