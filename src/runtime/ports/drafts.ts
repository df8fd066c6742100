/**
 * Keeps what users have typed into a form and not sent, for surfaces whose clients forget it, such as Slack. Private like
 * the answer; surfaces keep no drafts of forms that ask for secrets.
 */
export interface DraftStore {
  /** Stores the draft of a request in place of the one before. `expiresAt` in milliseconds since the epoch. */
  set(elicitationId: string, draft: string, expiresAt: number): Promise<void>;
  /** `undefined`: there is none, or it has expired. */
  get(elicitationId: string): Promise<string | undefined>;
  delete(elicitationId: string): Promise<void>;
}
