import { REQUEST_PART_TYPE } from "../contract/contract.ts";
import type { ChannelEvent } from "./channel.ts";
import { fieldOf } from "./http-replies.ts";
import { readRequest } from "./read-request.ts";
import { parseJson } from "../contract/parse-json.ts";

interface Events {
  push(event: ChannelEvent): void;
  subscribe(listener: (event: ChannelEvent) => void): () => void;
}

/** Resolves when events have reported the end of each of these requests, or when `read` has finished reading. */
export async function untilEnded(
  ids: readonly string[],
  events: Events,
  read: () => Promise<void>,
): Promise<void> {
  const open = new Set(ids);
  let stop: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    stop = events.subscribe((event) => {
      if (event.type !== "request" || event.request.resolution === undefined) return;
      open.delete(event.request.elicitationId);
      if (open.size === 0) resolve();
    });
  });
  await Promise.race([ended, read()]);
  stop?.();
}

/** Reads the requests from the stream of a turn. */
export async function readRequests(
  conversationId: string,
  body: ReadableStream<Uint8Array> | null,
  { push, api }: Events & { api: string },
): Promise<void> {
  push({ type: "live", conversationId, live: true });
  try {
    const { readSseData } = await import("./sse.ts");
    for await (const data of body === null ? [] : readSseData(body)) {
      const chunk = parseJson(data);
      const request = readRequest(fieldOf(chunk, "data"), api);
      if (fieldOf(chunk, "type") === REQUEST_PART_TYPE && request.ok)
        push({ type: "request", conversationId, request: request.value });
    }
  } catch {
    // The connection broke, or the code could not be loaded. The answer has arrived, so the status is polled from now on.
    body?.cancel().catch(() => undefined);
  }
  push({ type: "live", conversationId, live: false });
}
