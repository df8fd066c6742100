import type { ElicitationRequest } from "../src/contract/contract.ts";
import { createMemoryRecords } from "../src/runtime/index.ts";
import type { ElicitationRecord, ElicitationRecords } from "../src/runtime/internal.ts";
import type { Clock } from "../src/base/clock.ts";

/** The runtime's records, with a synchronous view for tests. */
export interface WatchedRecords extends ElicitationRecords {
  /** The open requests of chats, in the order in which they were asked. */
  readonly pending: () => readonly ElicitationRequest[];
  /** Lets a request expire. The next read ends it. */
  readonly timeOut: (elicitationId: string) => Promise<void>;
}

export function watchRecords(clock: Clock): WatchedRecords {
  const memory = createMemoryRecords({ clock });
  const seen = new Map<string, ElicitationRecord>();

  async function compareAndSet(...[next, settlement]: Parameters<typeof memory.compareAndSet>) {
    const isStored = await memory.compareAndSet(next, settlement);
    if (isStored) seen.set(next.request.elicitationId, next);
    return isStored;
  }

  return {
    ...memory,
    compareAndSet,
    async create(record, lease) {
      const stored = await memory.create(record, lease);
      seen.set(stored.request.elicitationId, stored);
      return stored;
    },
    pending: () =>
      [...seen.values()]
        .filter((record) => record.endedAt === undefined && !isLink(record))
        .map(({ request }) => request),
    async timeOut(elicitationId) {
      const record = seen.get(elicitationId);
      if (record === undefined) return;
      await compareAndSet({ ...record, revision: record.revision + 1, expiresAt: clock.now() });
    },
  };
}

/** A request that users reach only by its link has its own conversation: no chat shows it. */
function isLink({ conversationId, request }: ElicitationRecord): boolean {
  return conversationId === request.elicitationId;
}
