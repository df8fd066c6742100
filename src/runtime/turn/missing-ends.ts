import { type ResolvedRequest, currentRequest, isResolved } from "../request/record.ts";
import type { ElicitationRecords, StreamChunk, TurnLease, TurnStream } from "../ports/index.ts";
import { eventOf } from "./logged-event.ts";
import { isEnd } from "./turn-output.ts";

/** The requests of a turn that have ended although its log shows them open: the process that wrote it has crashed. */
export async function readMissingEnds(
  turnId: string,
  { stream, records }: { stream: Pick<TurnStream, "read">; records: Pick<ElicitationRecords, "get"> },
): Promise<readonly ResolvedRequest[]> {
  const open = new Set<string>();
  const { signal } = new AbortController();
  for await (const entry of stream.read(turnId, { live: false, signal })) {
    const event = eventOf(entry);
    if (event.kind === "request") open.add(event.request.elicitationId);
    else if (event.kind === "resolved") open.delete(event.request.elicitationId);
  }
  const found = await Promise.all([...open].map((id) => records.get(id)));
  return found
    .flatMap((record) => (record?.turnId === turnId ? currentRequest(record) : []))
    .filter(isResolved);
}

/** Appends the last chunk of a turn, unless its log has one. */
export async function appendEnd(
  turnId: string,
  last: StreamChunk,
  lease: Pick<TurnLease, "fence">,
  stream: Pick<TurnStream, "read" | "append">,
): Promise<void> {
  const { signal } = new AbortController();
  for await (const { chunk } of stream.read(turnId, { live: false, signal })) if (isEnd(chunk)) return;
  await stream.append(turnId, last, lease);
}
