import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../contract/contract.ts";
import type { ResolvedRequest } from "../request/record.ts";
import type { StreamChunk } from "../ports/index.ts";
import { eventOf } from "./turn-log.ts";

/**
 * Writes a turn in the format of one surface (contract, section 3): {@link createUiMessageStreamHelper},
 * {@link createBufferingStreamHelper}, `createCompletionsStreamHelper` of `elicit-kit/openai`.
 */
export interface StreamHelper {
  /** Writes any chunk that is not a request. A surface skips chunks that its format does not support. */
  writeChunk(chunk: StreamChunk): void;
  /** Writes an open request: when it is asked, and again at every progress. */
  writeElicitationRequest(request: ElicitationRequest): void;
  /** Writes the end of a request, with any outcome. */
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
  // A second chunk with the same id replaces the part of the first, so history contains the end without client code.
  const writeRequest = (request: ElicitationRequest) => writeData(requestChunk(request));
  return {
    writeChunk: writeData,
    writeElicitationRequest: writeRequest,
    writeElicitationResolved: writeRequest,
    end: () => write("data: [DONE]\n\n"),
  };
}
