import { type ElicitationRequest, REQUEST_PART_TYPE } from "../protocol/contract.ts";
import { parseElicitationRequest, parseResolution } from "../protocol/guard.ts";
import { isObject } from "../protocol/json.ts";
import { type AiSdkVersion, misfitsOf } from "./chunk-shapes.ts";
import { isEnvelopePart } from "./envelope.ts";

export interface ChunkMenderOptions {
  /** Called for every well-formed request, new or again. */
  onRequest?: ((request: ElicitationRequest) => void) | undefined;
  /**
   * Called when the stream says by way of text that something became of requests. Nothing of it may be shown: ask the
   * server.
   */
  onUnconfirmed?: (() => void) | undefined;
  /**
   * What to do with a chunk that the AI SDK does not know: leave it out, or pass it as `data-unknown`, whose `data` is
   * the chunk.
   * @default "drop"
   */
  unknownChunks?: "drop" | "data" | undefined;
  /**
   * The major version of `ai` that the chat runs on: what a later one knows ends a chat on an earlier one.
   * @default 7
   */
  aiSdk?: AiSdkVersion | undefined;
}

type Chunk = Readonly<Record<string, unknown>>;

/** What to do with an event: pass it on as it is, leave it out, or write this chunk in its place. */
export type Mended = "keep" | "drop" | Chunk;

/**
 * Makes the chunks of one stream fit for the AI SDK, which ends the whole chat over the first that does not fit: takes
 * the data of an event and says what to do with it. A bare `elicitation-request` becomes the data part, a bare
 * `elicitation-resolved` the same part with its end; what can be mended is, the rest is left out.
 */
export function createChunkMender(options: ChunkMenderOptions): (data: string) => Mended {
  const { onRequest, onUnconfirmed, unknownChunks = "drop", aiSdk = 7 } = options;
  const asked = new Map<string, ElicitationRequest>();

  function tap(value: unknown): ElicitationRequest | undefined {
    const parsed = parseElicitationRequest(value);
    if (!parsed.ok) return undefined;
    asked.set(parsed.value.elicitationId, parsed.value);
    onRequest?.(parsed.value);
    return parsed.value;
  }

  function requestIn(chunk: Chunk): ElicitationRequest | undefined {
    switch (chunk["type"]) {
      case REQUEST_PART_TYPE:
        return tap(chunk["data"]);
      case "elicitation-request":
        return tap(chunk);
      case "elicitation-resolved": {
        const request = asked.get(String(chunk["elicitationId"]));
        const resolution = parseResolution(chunk["resolution"]);
        return request && resolution.ok ? tap({ ...request, resolution: resolution.value }) : undefined;
      }
      default:
        return undefined;
    }
  }

  function mendRequest(chunk: Chunk, request: ElicitationRequest): Mended {
    const id = request.elicitationId;
    if (chunk["type"] !== REQUEST_PART_TYPE) return { type: REQUEST_PART_TYPE, id, data: request };
    // Without the id, the end of a request would become a second part beside it.
    return chunk["id"] === id ? mend(chunk) : fit({ ...chunk, id });
  }

  function mend(chunk: Chunk): Mended {
    const fitting = fit(chunk);
    return fitting === chunk ? "keep" : fitting;
  }

  function fit(chunk: Chunk): "drop" | Chunk {
    const misfits = misfitsOf(chunk, aiSdk);
    if (misfits?.length === 0) return chunk;
    if (misfits !== undefined) {
      return Object.fromEntries(Object.entries(chunk).filter(([name]) => !misfits.includes(name)));
    }
    // An error that is not told right must not go unnoticed.
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
    if (allowed === undefined) return request === undefined ? mend(chunk) : mendRequest(chunk, request);
    // Without those keys a request would not be what is asked: it is told, and stays out of the messages.
    return request === undefined && isObject(allowed) ? fit(allowed) : "drop";
  };
}

/** Servers with an error shape of their own name its text `error` or `message`. */
function errorTextOf({ error, message }: Chunk): string {
  const text = [error, message].find((one) => typeof one === "string");
  return typeof text === "string" ? text : "The server reported an error.";
}

/**
 * The AI SDK refuses, by throwing, objects with a key that could reach a prototype. Gives the value without such keys,
 * or `undefined` when it has none.
 */
function withoutForbiddenKeys(json: string): unknown {
  let hasAny = false;
  const rest = parseJson(json, (key, value) => {
    const isForbidden =
      key === "__proto__" || (key === "constructor" && isObject(value) && Object.hasOwn(value, "prototype"));
    hasAny ||= isForbidden;
    return isForbidden ? undefined : value;
  });
  return hasAny ? rest : undefined;
}

function parseJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}
