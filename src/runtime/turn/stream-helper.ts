import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../contract/contract.ts";
import type { ResolvedRequest } from "../request/record.ts";
import type { StreamChunk, TurnStreamEntry } from "../ports/index.ts";
import { eventOf, withoutDiscarded } from "./turn-log.ts";

/**
 * Writes a turn in the format of one surface (contract, section 3): {@link createUiMessageStreamHelper},
 * {@link createBufferingStreamHelper}, and the one behind `openAiFormat` of `elicit-kit/openai`.
 */
export interface StreamHelper {
  /** Writes any chunk that is not a request. A surface skips chunks that its format does not support. */
  writeChunk(chunk: StreamChunk): void;
  /** Writes an open request: when it is asked, and again at every progress. */
  writeElicitationRequest(request: ElicitationRequest): void;
  /** Writes the outcome of a request. */
  writeElicitationResolved(request: ResolvedRequest): void;
  /** Called after the last chunk. */
  end(): void;
}

/** The error that a client gets for a failed turn. It carries no internal details. */
export const TURN_FAILED: StreamChunk & { errorText: string } = {
  type: "error",
  errorText: "The assistant could not finish its answer.",
};

/** The chunk for a request in a turn's log, as in a UI message stream. */
export function requestChunk(
  request: ElicitationRequest,
): StreamChunk & { id: string; data: ElicitationRequest } {
  return { type: REQUEST_PART_TYPE, id: request.elicitationId, data: request };
}

/** Writes one chunk of a turn's log. */
export function writeLogged(helper: StreamHelper, chunk: StreamChunk): void {
  const event = eventOf({ chunk });
  if (event.kind === "request") helper.writeElicitationRequest(event.request);
  else if (event.kind === "resolved") helper.writeElicitationResolved(event.request);
  else helper.writeChunk(chunk);
}

/** `POST /run/api/chat`: version 1 of the AI SDK's UI message stream. `write` gets whole server-sent events. */
export function createUiMessageStreamHelper(write: (event: string) => void): StreamHelper {
  const writeData = (data: unknown) => write(`data: ${JSON.stringify(data)}\n\n`);
  // A second chunk with the same id replaces the part of the first, so history contains the outcome without client code.
  const writeRequest = (request: ElicitationRequest) => writeData(requestChunk(request));
  return {
    writeChunk: writeData,
    writeElicitationRequest: writeRequest,
    writeElicitationResolved: writeRequest,
    end: () => write("data: [DONE]\n\n"),
  };
}

/** A {@link StreamHelper} that collects a turn in memory. */
export interface BufferingStreamHelper extends StreamHelper {
  /** The text of the turn, with a blank line between the parts. */
  text(): string;
  /** The text of the turn, as a list of parts. */
  texts(): readonly string[];
  /** The `data-…` chunks, in order. */
  data(): readonly StreamChunk[];
  /** Whether the turn failed or was aborted. */
  isBroken(): boolean;
}

/**
 * Creates a helper for `stream: false`, and for callers that need one result. The user sees nothing before the reply is
 * complete, so the agent cannot ask in such a turn. A request that is written anyway is kept as data.
 */
export function createBufferingStreamHelper(): BufferingStreamHelper {
  const parts: string[] = [];
  const data: StreamChunk[] = [];
  let broken = false;
  const keep = (request: ElicitationRequest) => {
    data.push(requestChunk(request));
  };
  return {
    writeChunk(chunk) {
      if (chunk.type === "error" || chunk.type === "abort") broken = true;
      else if (chunk.type === "text-start") parts.push("");
      else if (chunk.type === "text-delta" && "delta" in chunk && typeof chunk.delta === "string") {
        parts.push((parts.pop() ?? "") + chunk.delta);
      } else if (chunk.type.startsWith("data-")) data.push(chunk);
    },
    writeElicitationRequest: keep,
    writeElicitationResolved: keep,
    end: () => {},
    text: () => parts.join("\n\n"),
    texts: () => parts,
    data: () => data,
    isBroken: () => broken,
  };
}

/** `POST /run/api/chat` with `stream: false`: one UI message, with the `data-…` chunks in `data`. */
export function asMessage(collected: BufferingStreamHelper, { turnId }: { readonly turnId: string }): object {
  const data = collected.data();
  return {
    id: `chat-${turnId}`,
    role: "assistant",
    parts: collected.texts().map((text) => ({ type: "text", text })),
    ...(data.length > 0 && { data }),
  };
}

/** Collects a turn until it ends. Returns `undefined` if it failed or was aborted. */
export async function collectTurn(
  entries: AsyncIterable<TurnStreamEntry>,
): Promise<BufferingStreamHelper | undefined> {
  const helper = createBufferingStreamHelper();
  const read: TurnStreamEntry[] = [];
  for await (const entry of entries) read.push(entry);
  for (const { chunk } of withoutDiscarded(read)) writeLogged(helper, chunk);
  helper.end();
  return helper.isBroken() ? undefined : helper;
}
