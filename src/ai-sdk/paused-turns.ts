import type { ElicitationClient } from "../client/elicitation.ts";
import { isOpen } from "../client/ended.ts";
import type { Turns } from "./turns.ts";

/** The turns whose stream the server has ended because they wait for the user. */
export interface PausedTurns {
  /** Whether a request of this conversation waits for the user. */
  waits(conversationId: string): boolean;
  /**
   * Resolves when the turn of this conversation can be read again: no request waits for the user, or `read` was called.
   */
  untilAnswered(conversationId: string, signal: AbortSignal): Promise<void>;
  /**
   * Makes a paused turn continue with this response, and resolves when the response has been read. `undefined` if no turn
   * of this conversation is paused.
   */
  read(conversationId: string, response: Response): Promise<void> | undefined;
  /** Returns the response passed to `read`, once. */
  take(conversationId: string): Response | undefined;
}

export function createPausedTurns(
  client: Pick<ElicitationClient, "subscribe" | "getSnapshot">,
  turns: () => Pick<Turns, "stateOf" | "onStatus">,
): PausedTurns {
  const paused = new Map<string, () => void>();
  const responses = new Map<string, Response>();

  function waits(conversationId: string): boolean {
    const { items, arriving } = client.getSnapshot();
    return (
      items.some((item) => item.conversationId === conversationId && isOpen(item)) ||
      arriving?.requests.some((one) => one.conversationId === conversationId && one.isOpen) === true
    );
  }

  return {
    waits,
    untilAnswered(conversationId, signal) {
      return new Promise((resolve) => {
        const look = () => void (waits(conversationId) || end());
        // A listener also makes the client poll the status.
        const unsubscribe = client.subscribe(look);
        function end(): void {
          unsubscribe();
          signal.removeEventListener("abort", end);
          if (paused.get(conversationId) === end) paused.delete(conversationId);
          resolve();
        }
        paused.set(conversationId, end);
        signal.addEventListener("abort", end);
        look();
      });
    },
    read(conversationId, response) {
      const goOn = paused.get(conversationId);
      if (goOn === undefined) return undefined;
      responses.set(conversationId, response);
      const { stateOf, onStatus } = turns();
      return new Promise((resolve) => {
        let isRead = false;
        const stop = onStatus(conversationId, () => {
          const isLive = stateOf(conversationId).status === "live";
          if (isRead && !isLive) {
            stop();
            resolve();
          }
          isRead ||= isLive;
        });
        goOn();
      });
    },
    take(conversationId) {
      const response = responses.get(conversationId);
      responses.delete(conversationId);
      return response;
    },
  };
}
