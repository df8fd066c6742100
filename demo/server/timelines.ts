import { timelineOf, type TurnTimeline } from "elicit-kit/runtime";
import type { TurnStream, TurnStreamEntry } from "elicit-kit/runtime/ports";
import type { History } from "./history.ts";

/** When the newest turn of a conversation worked and waited. `undefined` if there has been no turn. */
export type ReadTimeline = (userId: string, conversationId: string) => Promise<TurnTimeline | undefined>;

/** Reads the log of an open turn. For an ended turn, reads the history, because the log is deleted. */
export function createTimelines(stream: TurnStream, history: History): ReadTimeline {
  return async (userId, conversationId) => {
    const turnId = await stream.find(conversationId, userId);
    const entries: TurnStreamEntry[] = [];
    if (turnId !== undefined) {
      const { signal } = new AbortController();
      for await (const entry of stream.read(turnId, { live: false, signal })) entries.push(entry);
    }
    return timelineOf(entries) ?? (await history.timeline(userId, conversationId));
  };
}
