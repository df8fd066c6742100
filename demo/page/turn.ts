import type { TurnTimeline } from "elicit-kit/runtime";

/** The state of the newest turn of the conversation. */
export type Phase = "running" | "paused" | "resumed" | "done" | "stopped";

/** A segment of a turn, in milliseconds. */
export interface Segment {
  readonly kind: "work" | "wait";
  readonly ms: number;
}

/**
 * Splits a turn into segments, in order. Requests that were open at the same time are one segment.
 *
 * @param now the end of a running turn, and of an open request
 */
export function segmentsOf({ from, to, waits }: TurnTimeline, now?: number): readonly Segment[] {
  const end = now ?? to;
  const segments: Segment[] = [];
  let at = from;
  for (const wait of waits.toSorted((a, b) => a.from - b.from)) {
    const until = Math.min(wait.outcome === undefined ? end : wait.to, end);
    const since = Math.max(wait.from, at);
    if (until <= since) continue;
    if (since > at) segments.push({ kind: "work", ms: since - at });
    const last = segments.at(-1);
    if (last?.kind === "wait") segments[segments.length - 1] = { kind: "wait", ms: last.ms + until - since };
    else segments.push({ kind: "wait", ms: until - since });
    at = until;
  }
  if (end > at) segments.push({ kind: "work", ms: end - at });
  return segments;
}

/** The milliseconds of all segments, or of the segments of one kind. */
export function lengthOf(segments: readonly Segment[], kind?: Segment["kind"]): number {
  return segments
    .filter((segment) => kind === undefined || segment.kind === kind)
    .reduce((sum, { ms }) => sum + ms, 0);
}

/** Minutes and seconds: `0:07`, `12:30`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
