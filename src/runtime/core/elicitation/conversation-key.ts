/** Ids of conversations come from clients, so the person is part of the key: nobody reaches another one's turn. */
export function conversationKey(conversationId: string, userId: string): string {
  return JSON.stringify([userId, conversationId]);
}
