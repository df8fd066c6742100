import type { ElicitationRecord, ElicitationRecords, OpenLimits } from "../../src/runtime/internal.ts";
import { COUNT_MOST } from "./figures.ts";

/** The limits of the runtime that the page shows, as `createRuntime` takes them. */
export interface ShownLimits {
  readonly limits?: { open?: OpenLimits | undefined; writesPerMinute?: number | undefined } | undefined;
  readonly notices?: { perHour?: number | undefined } | undefined;
}

/** A limit, and the usage of the user who is nearest to it. Without `used`, the usage is not counted. */
export interface LimitUse {
  readonly name: string;
  readonly most: number;
  readonly used?: number | undefined;
}

/**
 * Counts usage for one user only: the user with most of the rows that the page shows. Counting for all users would read
 * all records.
 */
export async function limitsOf(
  { limits: { open = {}, writesPerMinute = 60 } = {}, notices: { perHour = 6 } = {} }: ShownLimits,
  records: ElicitationRecords,
  shown: readonly ElicitationRecord[],
): Promise<readonly LimitUse[]> {
  const { perPerson = 100, perConversation = 50 } = open;
  const first = mostFrequent(shown, ({ user, conversationId }) => JSON.stringify([user.id, conversationId]));
  const counted = first && (await countFor(records, first));
  return [
    { name: "Open a user", most: perPerson, used: counted?.inAll },
    { name: "Open a conversation", most: perConversation, used: counted?.inConversation },
    { name: "Notices an hour", most: perHour },
    { name: "Writes a minute", most: writesPerMinute },
  ];
}

async function countFor(
  records: ElicitationRecords,
  { user, conversationId }: ElicitationRecord,
): Promise<{ inAll: number; inConversation: number } | undefined> {
  if (records.countOpen !== undefined) return records.countOpen(conversationId, user.id);
  // The limit counts the requests of a user's own turns, including those that wait for another user.
  const open = await records.overview?.list({ isOpen: true, limit: COUNT_MOST });
  const own = open?.filter((record) => record.user.id === user.id);
  return (
    own && {
      inAll: own.length,
      inConversation: own.filter((record) => record.conversationId === conversationId).length,
    }
  );
}

function mostFrequent<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item | undefined {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return items.toSorted((a, b) => (counts.get(keyOf(b)) ?? 0) - (counts.get(keyOf(a)) ?? 0))[0];
}
