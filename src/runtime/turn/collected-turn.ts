import type { ElicitationRequest } from "../../contract/contract.ts";
import type { StreamChunk, TurnStreamEntry } from "../ports/index.ts";
import { withoutDiscarded } from "./turn-log.ts";
import { type StreamHelper, requestChunk, writeLogged } from "./stream-helper.ts";

/** A {@link StreamHelper} that collects a turn in memory. */
export interface BufferingStreamHelper extends StreamHelper {
  /** The text of the turn, with a blank line between the parts. */
  text(): string;
  /** The text of the turn, part by part. */
  texts(): readonly string[];
  /** The `data-…` chunks, in order. */
  data(): readonly StreamChunk[];
  /** Whether the turn failed or was aborted. */
  isBroken(): boolean;
}

/**
 * For `stream: false`, and for callers that want one result. The user sees nothing before the reply is complete, so the
 * agent cannot ask in such a turn. A request that is written anyway is kept as data.
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
