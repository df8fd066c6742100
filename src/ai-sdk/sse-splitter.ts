const LF = 10;
const CR = 13;
const NOTHING = new Uint8Array(0);

/** Longer events are dropped while they arrive. The limit is far above any chunk with a file in it. */
export const LONGEST_EVENT_BYTES: number = 32 * 1024 * 1024;

export interface SseSplitter {
  /**
   * Takes the next bytes and returns the events that are now complete, each with its blank line. Events that lie within
   * `bytes` are views of it. The `\n` of a blank line that ends in `\r\n` is returned as an event of its own.
   */
  split(bytes: Uint8Array): Uint8Array[];
  /** Call it at the end of the stream. Returns the event without its blank line, or nothing. */
  rest(): Uint8Array[];
}

/**
 * Splits a server-sent event stream at its blank lines without changing a byte. Lines may end in `\n`, `\r\n` or `\r`,
 * and the network may split anywhere (HTML standard, 9.2.5). Takes linear time, and at most twice the bytes of the longest
 * event that it lets through.
 */
export function createSseSplitter(longest: number = LONGEST_EVENT_BYTES): SseSplitter {
  let held = NOTHING;
  let heldLength = 0;
  let isTooLong = false;
  let isLineEmpty = true;
  let isAfterCr = false;

  function hold(piece: Uint8Array): void {
    const length = heldLength + piece.length;
    isTooLong ||= length > longest;
    if (isTooLong) {
      held = NOTHING;
      heldLength = 0;
      return;
    }
    if (length > held.length) {
      const larger = new Uint8Array(Math.min(Math.max(length, held.length * 2), longest));
      larger.set(held.subarray(0, heldLength));
      held = larger;
    }
    held.set(piece, heldLength);
    heldLength = length;
  }

  /** Returns the buffered bytes, or nothing if the event was too long. */
  function release(): Uint8Array | undefined {
    const event = heldLength > 0 ? held.subarray(0, heldLength) : undefined;
    held = NOTHING;
    heldLength = 0;
    isTooLong = false;
    return event;
  }

  /** Returns the event that `tail` completes. */
  function complete(tail: Uint8Array): Uint8Array | undefined {
    if (heldLength === 0 && !isTooLong) return tail;
    hold(tail);
    return release();
  }

  return {
    split(bytes) {
      const events: Uint8Array[] = [];
      let start = 0;
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at];
        const isSecondHalf = byte === LF && isAfterCr;
        isAfterCr = byte === CR;
        if (byte !== LF && byte !== CR) {
          isLineEmpty = false;
        } else if (isSecondHalf) {
          // The `
          // ` of a blank line. A reader waits for it before it accepts the `\r` as a line end.
          if (at === start && heldLength === 0 && !isTooLong) {
            events.push(bytes.subarray(start, (start = at + 1)));
          }
        } else if (isLineEmpty) {
          const event = complete(bytes.subarray(start, (start = at + 1)));
          if (event !== undefined) events.push(event);
        } else {
          isLineEmpty = true;
        }
      }
      if (start < bytes.length) hold(bytes.subarray(start));
      return events;
    },
    rest() {
      const event = release();
      return event === undefined ? [] : [event];
    },
  };
}

export function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
