/** Clients choose conversation ids, so the key includes the user id. That keeps one user out of another's turns. */
export function conversationKey(conversationId: string, userId: string): string {
  return JSON.stringify([userId, conversationId]);
}
