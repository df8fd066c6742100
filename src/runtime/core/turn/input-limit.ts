import type { User } from "../ports.ts";

/** How many turns may run or wait at once, and how much of their input is held. More are refused with 429 or 503. */
export interface TurnLimits {
  /** Turns of one person. @default 20 */
  perPerson?: number | undefined;
  /**
   * Bytes of chat messages that the turns of one person hold, and as much again while they are being received.
   * @default four times `maxChatBytes`
   */
  bytesPerPerson?: number | undefined;
  /**
   * Bytes of all people in this process. Those without a session share a quarter of it.
   * @default 134_217_728 (128 MiB)
   */
  bytes?: number | undefined;
}

/** Who sends: `key` names one person, or one address without a session. Absent: nothing is known. */
export interface Sender {
  readonly user: User | undefined;
  readonly key: string | undefined;
}

/** Whose limit is reached. */
export type Full = "sender" | "server";

/** Room for one turn. `leave` gives it back; later calls do nothing. */
export type Room = { ok: true; leave: () => void } | { ok: false; isFull: Full };

/** Room for one body, taken as its bytes become known. */
export interface BodyRoom {
  /** Absent: there was room for so many bytes more, and they are counted. */
  add(bytes: number): Full | undefined;
  leave(): void;
}

/**
 * Counts the input that is held in memory. A chat message becomes up to twenty times its size as objects, and stays
 * there while its turn waits for a person.
 */
export interface InputLimit {
  receive(sender: Sender): BodyRoom;
  /** Room for a turn until it has ended. It takes the place of the sender's turn in the same conversation. */
  hold(sender: Sender, conversationId: string, bytes: number): Room;
}

/** When there may be room again, in seconds. Nobody knows: a person answers, stops a chat, or lets it run out. */
export const ROOM_S = 10;

/** A turn weighs something even when its message does not. */
const TURN_BYTES = 16 * 1024;

interface Held {
  turns: number;
  bytes: number;
  receiving: number;
  /** The newest turn of each conversation: the next one there replaces it. */
  readonly byConversation: Map<string, { readonly bytes: number }>;
}

export function createInputLimit(limits: TurnLimits, { maxChatBytes }: { maxChatBytes: number }): InputLimit {
  const { perPerson = 20, bytesPerPerson = 4 * maxChatBytes, bytes: total = 128 * 1024 * 1024 } = limits;
  const senders = new Map<string, Held>();
  const used = { all: 0, anonymous: 0 };

  const heldBy = ({ key }: Sender) => (key === undefined ? undefined : senders.get(key));

  function isServerFull({ user }: Sender, more: number): boolean {
    return used.all + more > total || (user === undefined && used.anonymous + more > total / 4);
  }

  /** Counts for the server, and, with `change`, for the sender when it is known who that is. */
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
          if ((heldBy(sender)?.receiving ?? 0) + bytes > bytesPerPerson) return "sender";
          if (isServerFull(sender, bytes)) return "server";
          take(bytes);
          return undefined;
        },
        leave: () => take(-received),
      };
    },
    hold(sender, conversationId, bytes) {
      const before = heldBy(sender);
      const replaced = before?.byConversation.get(conversationId);
      const turns = (before?.turns ?? 0) - (replaced === undefined ? 0 : 1);
      const others = (before?.bytes ?? 0) - (replaced?.bytes ?? 0);
      if (turns >= perPerson || others + bytes > bytesPerPerson) return { ok: false, isFull: "sender" };
      const weight = bytes + TURN_BYTES;
      const freed = replaced === undefined ? 0 : replaced.bytes + TURN_BYTES;
      if (isServerFull(sender, weight - freed)) return { ok: false, isFull: "server" };

      const turn = { bytes };
      let hasLeft = false;
      count(sender, weight, (held) => {
        held.turns += 1;
        held.bytes += bytes;
        held.byConversation.set(conversationId, turn);
      });
      return {
        ok: true,
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          count(sender, -weight, (held) => {
            held.turns -= 1;
            held.bytes -= bytes;
            if (held.byConversation.get(conversationId) === turn) held.byConversation.delete(conversationId);
          });
        },
      };
    },
  };
}
