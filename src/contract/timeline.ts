import type { ElicitationOutcome } from "./contract.ts";
import { parseElicitationRequest } from "./guard.ts";

/** When a turn worked and when it waited. Times are milliseconds since the epoch, on the server's clock. */
export interface TurnTimeline {
  readonly from: number;
  readonly to: number;
  /** The waits in the order in which they were asked. They may overlap. Between them, the turn works. */
  readonly waits: readonly TurnWait[];
}

/** One request: the turn pauses at `from` and resumes at `to`. */
export interface TurnWait {
  readonly elicitationId: string;
  readonly message: string;
  readonly from: number;
  readonly to: number;
  /** Absent if the log ends before the request does. */
  readonly outcome?: ElicitationOutcome | undefined;
}

/**
 * Computes the timeline of a turn from its log. A question in the background is a wait only while the agent has nothing
 * else to do. Returns `undefined` for a log without entries.
 */
export function timelineOf(
  entries: readonly { readonly at: number; readonly chunk: object }[],
): TurnTimeline | undefined {
  const from = entries[0]?.at;
  const to = entries.at(-1)?.at;
  if (from === undefined || to === undefined) return undefined;
  const waits = new Map<string, TurnWait>();
  const work = createWork();
  const open = new Map<string, string>();
  for (const { at, chunk } of entries) {
    const parsed = "data" in chunk ? parseElicitationRequest(chunk.data) : undefined;
    if (parsed?.ok !== true) {
      work.read(at, chunk);
      continue;
    }
    const { elicitationId, message, toolCallId, resolution } = parsed.value;
    const begun = waits.get(elicitationId)?.from ?? at;
    if (resolution === undefined) {
      waits.set(elicitationId, { elicitationId, message, from: begun, to });
      if (toolCallId !== undefined) open.set(elicitationId, toolCallId);
      continue;
    }
    waits.set(elicitationId, { elicitationId, message, from: begun, to: at, outcome: resolution.outcome });
    end(elicitationId);
  }
  for (const elicitationId of open.keys()) end(elicitationId);

  /** Leaves of a wait what the agent did not work. */
  function end(elicitationId: string): void {
    const toolCallId = open.get(elicitationId);
    const wait = waits.get(elicitationId);
    open.delete(elicitationId);
    if (wait === undefined || toolCallId === undefined || !work.continuesWith(toolCallId)) return;
    const since = work.idleSince();
    if (since === undefined) waits.delete(elicitationId);
    else waits.set(elicitationId, { ...wait, from: Math.max(wait.from, since) });
  }

  return { from, to, waits: [...waits.values()] };
}

/** What the agent does while calls ask in the background: their first result is marked, and their step ends with it. */
function createWork() {
  const marked = new Set<unknown>();
  const background = new Set<unknown>();
  let idleSince: number | undefined;
  return {
    read(at: number, chunk: object): void {
      const type = "type" in chunk ? chunk.type : undefined;
      if (typeof type !== "string" || type.startsWith("data-")) return;
      if ("preliminary" in chunk && chunk.preliminary === true && "toolCallId" in chunk) {
        marked.add(chunk.toolCallId);
      }
      if (type === "finish-step") for (const toolCallId of marked) background.add(toolCallId);
      idleSince = type === "finish-step" || type === "text-end" ? (idleSince ?? at) : undefined;
    },
    continuesWith: (toolCallId: string) => background.has(toolCallId),
    idleSince: () => idleSince,
  };
}
