import { conversationKey } from "./conversation-key.ts";

/** How many requests may wait for one user at once. Further requests fail, and the tool gets the reason. */
export interface OpenLimits {
  /** @default 100 */
  perPerson?: number | undefined;
  /** @default 50 */
  perConversation?: number | undefined;
}

/** Counts a request that waits in this process. Returns a function that ends the count, or `undefined` at the limit. */
export type OpenLimit = (conversationId: string, userId: string) => (() => void) | undefined;

export function createOpenLimit({ perPerson = 100, perConversation = 50 }: OpenLimits): OpenLimit {
  const open = new Map<string, number>();

  function change(key: string, by: number): void {
    const count = (open.get(key) ?? 0) + by;
    if (count === 0) open.delete(key);
    else open.set(key, count);
  }

  return (conversationId, userId) => {
    const person = JSON.stringify([userId]);
    const conversation = conversationKey(conversationId, userId);
    if ((open.get(person) ?? 0) >= perPerson) return undefined;
    if ((open.get(conversation) ?? 0) >= perConversation) return undefined;
    change(person, 1);
    change(conversation, 1);
    return () => {
      change(person, -1);
      change(conversation, -1);
    };
  };
}
