import type { ElicitationRecords } from "../ports/index.ts";
import { conversationKey } from "./record.ts";

/** How many requests may wait for one user at once. Further requests fail, and the tool gets the reason. */
export interface OpenLimits {
  /** @default 100 */
  perPerson?: number | undefined;
  /** @default 50 */
  perConversation?: number | undefined;
}

/**
 * Counts a waiting request in this process. Resolves with a function that ends the count, or with `undefined` at the
 * limit. A request whose `elicitationId` is already known was counted when it was first asked.
 */
export type OpenLimit = (
  conversationId: string,
  userId: string,
  elicitationId: string | undefined,
) => Promise<(() => void) | undefined>;

export function createOpenLimit(
  { perPerson = 100, perConversation = 50 }: OpenLimits,
  records: Pick<ElicitationRecords, "get" | "countOpen">,
  onLimit: () => void,
): OpenLimit {
  const open = new Map<string, number>();

  function change(key: string, by: number): void {
    const count = (open.get(key) ?? 0) + by;
    if (count === 0) open.delete(key);
    else open.set(key, count);
  }

  /** Whether the limit over all processes is reached. */
  async function isFull(...[conversationId, userId, elicitationId]: Parameters<OpenLimit>): Promise<boolean> {
    const count = await records.countOpen?.(conversationId, userId);
    if (count === undefined) return false;
    if (count.inAll < perPerson && count.inConversation < perConversation) return false;
    return elicitationId === undefined || (await records.get(elicitationId)) === undefined;
  }

  /** `undefined`: the limit is reached. */
  const take: OpenLimit = async (conversationId, userId, elicitationId) => {
    const person = JSON.stringify([userId]);
    const conversation = conversationKey(conversationId, userId);
    if ((open.get(person) ?? 0) >= perPerson) return undefined;
    if ((open.get(conversation) ?? 0) >= perConversation) return undefined;
    change(person, 1);
    change(conversation, 1);
    function release(): void {
      change(person, -1);
      change(conversation, -1);
    }
    try {
      if (!(await isFull(conversationId, userId, elicitationId))) return release;
    } catch (error) {
      release();
      throw error;
    }
    release();
    return undefined;
  };

  return async (...asked) => {
    const release = await take(...asked);
    if (release === undefined) onLimit();
    return release;
  };
}
