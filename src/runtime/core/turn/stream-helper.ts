import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../../protocol/contract.ts";
import type { ResolvedRequest } from "../elicitation/record.ts";
import type { StreamChunk } from "../ports.ts";
import { eventOf } from "./logged-event.ts";

/**
 * Writes a turn in the words of one surface (contract, section 3): {@link createUiMessageStreamHelper},
 * {@link createCompletionsStreamHelper}, {@link createBufferingStreamHelper}.
 */
export interface StreamHelper {
  /** Anything of the turn that is not a request. A surface that has no words for a chunk leaves it out. */
  writeChunk(chunk: StreamChunk): void;
  /** A request that is open: when it is asked, and again with every progress. */
  writeElicitationRequest(request: ElicitationRequest): void;
  /** The end of a request, whatever it was. */
  writeElicitationResolved(request: ResolvedRequest): void;
  /** After the last chunk. */
  end(): void;
}

/** What a client is told of a turn that broke: that it did, and nothing of what is inside. */
export const TURN_FAILED: StreamChunk & { errorText: string } = {
  type: "error",
  errorText: "The assistant could not finish its answer.",
};

/** How a request stands in a turn's log: the chunk of a UI message stream. */
export function requestChunk(
  request: ElicitationRequest,
): StreamChunk & { id: string; data: ElicitationRequest } {
  return { type: REQUEST_PART_TYPE, id: request.elicitationId, data: request };
}

/** Writes one chunk of a turn's log. */
export function writeLogged(helper: StreamHelper, chunk: StreamChunk): void {
  const event = eventOf({ chunk });
  if (event.kind === "chunk") helper.writeChunk(chunk);
  else if (event.kind === "request") helper.writeElicitationRequest(event.request);
  else helper.writeElicitationResolved(event.request);
}

/** `POST /run/api/chat`: version 1 of the AI SDK's UI message stream. `write` gets whole server-sent events. */
export function createUiMessageStreamHelper(write: (event: string) => void): StreamHelper {
  const writeData = (data: unknown) => write(`data: ${JSON.stringify(data)}\n\n`);
  // The second chunk with an id replaces the part of the first: history has the end without help from a client.
  const writeRequest = (request: ElicitationRequest) => writeData(requestChunk(request));
  return {
    writeChunk: writeData,
    writeElicitationRequest: writeRequest,
    writeElicitationResolved: writeRequest,
    end: () => write("data: [DONE]\n\n"),
  };
}
