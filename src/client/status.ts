import type { StatusReport } from "../contract/contract.ts";
import { ChannelError } from "./channel.ts";
import type { ClientContext } from "./client-options.ts";
import type { ElicitationItem } from "./elicitation.ts";
import { isOpen } from "./ended.ts";
import { createRouteWatch } from "./route-watch.ts";

const FIRST_POLL_MS = 2_000;
const LONGEST_POLL_MS = 30_000;

/**
 * Reads the status of requests: on demand, while no live stream contains their outcome, and when a request should have
 * expired.
 */
export interface StatusReader {
  read(id: string): Promise<void>;
  remaining(item: ElicitationItem): number | undefined;
  /** Schedules the next poll while there are listeners. Call it after every change. This never delays a poll. */
  poll(): void;
}

export function createStatusReader({
  channel,
  clock,
  signal,
  store,
  isOnLiveStream,
}: ClientContext): StatusReader {
  const reads = new Map<string, Promise<void>>();
  const temporaryOf = createRouteWatch(clock);
  let clockOffset = 0;
  /** Whether the server is assumed to have a status route. */
  let isOffered = channel.status !== undefined;
  let pause = FIRST_POLL_MS;
  /** When the next poll is due. Kept while there are no listeners. */
  let due = Number.POSITIVE_INFINITY;
  let cancelTimer: (() => void) | undefined;

  function read(id: string): Promise<void> {
    const underway = reads.get(id);
    if (underway !== undefined) return underway;
    const started = readNow(id).finally(() => reads.delete(id));
    reads.set(id, started);
    return started;
  }

  async function readNow(id: string): Promise<void> {
    const item = store.get(id);
    if (channel.status === undefined || !isOffered || item === undefined || !isOpen(item)) return;
    store.dispatch(id, { type: "checking" });
    let report: StatusReport | undefined;
    try {
      report = await channel.status(id, { signal });
      temporaryOf(undefined);
    } catch (error) {
      if (!temporaryOf(error) && error instanceof ChannelError && error.notOffered) isOffered = false;
      // The status is unknown. The next poll reads it again.
      store.dispatch(id, { type: "unchecked" });
      return;
    }
    if (report !== undefined) clockOffset = Date.parse(report.now) - clock.now();
    store.dispatch(id, report === undefined ? { type: "missing" } : { type: "reported", report });
  }

  function remaining({ request }: ElicitationItem): number | undefined {
    if (request.expiresAt === undefined) return undefined;
    return Math.max(0, Date.parse(request.expiresAt) - clock.now() - clockOffset);
  }

  function poll(): void {
    if (signal.aborted || !isOffered) return stopTimer();
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const item of store.items()) {
      if (!isOpen(item)) continue;
      const left = isOnLiveStream(item.id) ? remaining(item) : 0;
      // The live stream will contain the outcome of this request, so poll it only after its expiry.
      if (left !== undefined) next = Math.min(next, now + (left > 0 ? left : pause));
    }
    if (next === Number.POSITIVE_INFINITY) {
      pause = FIRST_POLL_MS;
      due = next;
    }
    if (next === Number.POSITIVE_INFINITY || !store.hasListeners()) return stopTimer();
    if (cancelTimer !== undefined && due <= next) return;
    stopTimer();
    // Listeners come and go. A poll that became due without listeners is still due.
    due = Math.min(due, next);
    cancelTimer = clock.after(Math.max(0, due - now), () => void tick());
  }

  function stopTimer(): void {
    cancelTimer?.();
    cancelTimer = undefined;
  }

  async function tick(): Promise<void> {
    cancelTimer = undefined;
    due = Number.POSITIVE_INFINITY;
    const asked = store
      .items()
      .filter((item) => isOpen(item) && (!isOnLiveStream(item.id) || remaining(item) === 0));
    if (asked.length > 0) pause = Math.min(pause * 2, LONGEST_POLL_MS);
    await Promise.all(asked.map((item) => read(item.id)));
    poll();
  }

  signal.addEventListener("abort", stopTimer);
  return { read, remaining, poll };
}
