const LF = 10;
const CR = 13;

export interface EventCutter {
  /**
   * Takes the next bytes and gives the events that are complete now, each with its blank line. Events that lie within
   * `bytes` are views of it. A line feed that belongs to an event already given comes as an event of its own.
   */
  cut(bytes: Uint8Array): Uint8Array[];
  /** What is left when the stream has ended: an event that never got its blank line, or nothing. */
  rest(): Uint8Array[];
}

/**
 * Cuts a server-sent event stream at its blank lines, without changing a byte. Lines may end in `\n`, `\r\n` or `\r`,
 * and the network may cut anywhere (HTML standard, 9.2.5). The work is linear, however long an event is.
 */
export function createEventCutter(): EventCutter {
  let held: Uint8Array[] = [];
  let isLineEmpty = true;
  let isAfterCr = false;

  function complete(tail: Uint8Array): Uint8Array {
    if (held.length === 0) return tail;
    const whole = concat([...held, tail]);
    held = [];
    return whole;
  }

  return {
    cut(bytes) {
      const events: Uint8Array[] = [];
      let start = 0;
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at];
        const isSecondHalf = byte === LF && isAfterCr;
        isAfterCr = byte === CR;
        if (byte !== LF && byte !== CR) {
          isLineEmpty = false;
        } else if (isSecondHalf) {
          // Of a blank line: readers wait for it before they believe the \r, so it must not wait for the next event.
          if (at === start && held.length === 0) events.push(bytes.subarray(start, (start = at + 1)));
        } else if (isLineEmpty) {
          events.push(complete(bytes.subarray(start, (start = at + 1))));
        } else {
          isLineEmpty = true;
        }
      }
      if (start < bytes.length) held.push(bytes.subarray(start));
      return events;
    },
    rest() {
      return held.length === 0 ? [] : [concat(held)];
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
