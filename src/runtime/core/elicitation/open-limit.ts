import { conversationKey } from "./conversation-key.ts";

/** How many requests may wait for a person at once. More are not asked: the tool is told so. */
export interface OpenLimits {
  /** @default 100 */
  perPerson?: number | undefined;
  /** @default 50 */
  perConversation?: number | undefined;
}

/** Counts what waits in this process. `undefined`: no room; else what gives the place back. */
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
