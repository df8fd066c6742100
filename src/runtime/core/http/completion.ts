import type { ElicitationRequest } from "../../../protocol/contract.ts";
import type { StreamChunk, TurnStreamEntry } from "../ports.ts";
import { type StreamHelper, requestChunk, writeLogged } from "../turn/stream-helper.ts";

/** A {@link StreamHelper} that keeps what it is given. */
export interface BufferingStreamHelper extends StreamHelper {
  /** What was said, with a blank line between the parts. */
  text(): string;
  /** What was told besides, in its order: `data-…` chunks. */
  data(): readonly StreamChunk[];
  /** Whether the turn failed or was aborted. */
  isBroken(): boolean;
}

/**
 * `stream: false`, and callers that want one result. Nobody can answer while nothing has arrived, so nothing is asked
 * there; a request that is written all the same is kept as data.
 */
export function createBufferingStreamHelper(): BufferingStreamHelper {
  const parts: string[] = [];
  const data: StreamChunk[] = [];
  let broken = false;
  const keep = (request: ElicitationRequest) => void data.push(requestChunk(request));
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
    data: () => data,
    isBroken: () => broken,
  };
}

/**
 * The answer of a turn for a client that does not stream (`stream: false`), in the shape of a chat completion, with
 * what was told besides in `data`. `undefined` when the turn failed or was aborted.
 */
export async function collectCompletion(
  entries: AsyncIterable<TurnStreamEntry>,
  { id, now }: { id: string; now: number },
): Promise<object | undefined> {
  const helper = createBufferingStreamHelper();
  for await (const { chunk } of entries) writeLogged(helper, chunk);
  helper.end();
  if (helper.isBroken()) return undefined;
  const message = { role: "assistant", content: helper.text() };
  const data = helper.data();
  return {
    id,
    object: "chat.completion",
    created: Math.floor(now / 1000),
    choices: [{ index: 0, message, finish_reason: "stop" }],
    ...(data.length > 0 && { data }),
  };
}
