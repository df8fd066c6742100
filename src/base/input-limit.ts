import type { Sender } from "./identity.ts";

/** Limits for turns that run or wait at once, and for the memory of their input. Beyond them, replies are 429 or 503. */
export interface TurnLimits {
  /** Turns of one user. @default 20 */
  perPerson?: number | undefined;
  /**
   * Bytes of chat messages that the turns of one user hold. The same limit applies again to bodies being received.
   * @default four times `chatBytes`
   */
  bytesPerPerson?: number | undefined;
  /** Bytes of chat messages that the turns of all users hold, including bodies being received. @default 128 MiB */
  bytes?: number | undefined;
}

/** Which limit is reached. */
export type ReachedLimit = "sender" | "server";

/** Capacity for one turn. `release` frees it. Further calls do nothing. */
export type Hold = { ok: true; release: () => void } | { ok: false; limit: ReachedLimit };

/** Capacity for one body, taken as its bytes arrive. */
export interface BodyHold {
  /** Counts `bytes`. Returns `undefined`, or the limit that is reached, in which case nothing is counted. */
  add(bytes: number): ReachedLimit | undefined;
  release(): void;
}

/**
 * Counts the input that is held in memory. A parsed chat message can take twenty times its size, and stays in memory
 * while its turn waits for the user.
 */
export interface InputLimit {
  receive(sender: Sender): BodyHold;
  /** Takes capacity for a turn until it ends. It replaces the sender's turn in the same conversation. */
  hold(sender: Sender, conversationId: string, bytes: number): Hold;
}

/**
 * Seconds for `Retry-After`. This is an estimate: capacity is freed when a user answers or stops a chat, or when a
 * request expires.
 */
export const RETRY_AFTER_S = 10;

/** Fixed cost of a turn, in addition to its message. */
const TURN_BYTES = 16 * 1024;

interface Held {
  turns: number;
  bytes: number;
  receiving: number;
  /** The turns of each conversation, oldest first: the next one there replaces the last. */
  readonly byConversation: Map<string, readonly { readonly bytes: number }[]>;
}

export function createInputLimit(
  limits: TurnLimits,
  { maxChatBytes, onLimit }: { maxChatBytes: number; onLimit: (limit: ReachedLimit) => void },
): InputLimit {
  const { perPerson = 20, bytesPerPerson = 4 * maxChatBytes, bytes: total = 128 * 1024 * 1024 } = limits;
  const senders = new Map<string, Held>();
  const used = { all: 0, anonymous: 0 };

  const heldBy = ({ key }: Sender) => (key === undefined ? undefined : senders.get(key));

  function isServerFull({ user }: Sender, more: number): boolean {
    return used.all + more > total || (user === undefined && used.anonymous + more > total / 4);
  }

  function reached(limit: ReachedLimit): ReachedLimit {
    onLimit(limit);
    return limit;
  }

  /** Counts for the whole server and, if the sender is known, applies `change` to the sender's own count. */
  function count({ user, key }: Sender, bytes: number, change: (held: Held) => void): void {
    used.all += bytes;
    if (user === undefined) used.anonymous += bytes;
    if (key === undefined) return;
    const held = senders.get(key) ?? { turns: 0, bytes: 0, receiving: 0, byConversation: new Map() };
    change(held);
    if (held.turns === 0 && held.receiving === 0) senders.delete(key);
    else senders.set(key, held);
  }

  return {
    receive(sender) {
      let received = 0;
      function take(bytes: number): void {
        received += bytes;
        count(sender, bytes, (held) => {
          held.receiving += bytes;
        });
      }
      return {
        add(bytes) {
          if ((heldBy(sender)?.receiving ?? 0) + bytes > bytesPerPerson) return reached("sender");
          if (isServerFull(sender, bytes)) return reached("server");
          take(bytes);
          return undefined;
        },
        release: () => take(-received),
      };
    },
    hold(sender, conversationId, bytes) {
      const before = heldBy(sender);
      const replaced = before?.byConversation.get(conversationId)?.at(-1);
      const turns = (before?.turns ?? 0) - (replaced === undefined ? 0 : 1);
      const others = (before?.bytes ?? 0) - (replaced?.bytes ?? 0);
      if (turns >= perPerson || others + bytes > bytesPerPerson)
        return { ok: false, limit: reached("sender") };
      const weight = bytes + TURN_BYTES;
      const freed = replaced === undefined ? 0 : replaced.bytes + TURN_BYTES;
      if (isServerFull(sender, weight - freed)) return { ok: false, limit: reached("server") };

      const turn = { bytes };
      let isReleased = false;
      count(sender, weight, (held) => {
        held.turns += 1;
        held.bytes += bytes;
        held.byConversation.set(conversationId, [...(held.byConversation.get(conversationId) ?? []), turn]);
      });
      return {
        ok: true,
        release() {
          if (isReleased) return;
          isReleased = true;
          count(sender, -weight, (held) => {
            held.turns -= 1;
            held.bytes -= bytes;
            // A copy of a message ends before the turn that it did not replace.
            const left = held.byConversation.get(conversationId)?.filter((other) => other !== turn) ?? [];
            if (left.length > 0) held.byConversation.set(conversationId, left);
            else held.byConversation.delete(conversationId);
          });
        },
      };
    },
  };
}
