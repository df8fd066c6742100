const LF = 10;
const CR = 13;
const COLON = 58;

/** How far a stream was read, so that a replay of it can go on from there. */
export interface StreamPosition {
  /**
   * Call for each event of the stream, in order. `false`: the event was passed before the connection broke, skip it.
   * Throws the error of `rewind` when the replay is not of the same stream.
   */
  pass(event: Uint8Array): boolean;
  /** Whether an event was passed since the last `rewind`. */
  hasAdvanced(): boolean;
  /** The first event, if any was passed. */
  first(): Uint8Array | undefined;
  /** The connection broke with `error`; a replay of the whole stream follows. */
  rewind(error: unknown): void;
  /** Call when the stream ends. Throws as `pass` does. */
  end(): void;
}

/**
 * Counts events and their bytes; comments such as keep-alives do not count. The counts and the first event, which names
 * the message, tell a replay of the same stream from any other.
 */
export function createStreamPosition(): StreamPosition {
  const read = { events: 0, bytes: 0 };
  let first: Uint8Array | undefined;
  let hasAdvanced = false;
  let replayed: { events: number; bytes: number; error: unknown } | undefined;

  return {
    pass(event) {
      if (replayed === undefined) {
        if (isData(event)) {
          first ??= event.slice();
          hasAdvanced = true;
          read.events++;
          read.bytes += event.length;
        }
        return true;
      }
      if (!isData(event)) return false;
      if (replayed.events === 0 && !isSame(event, first)) throw replayed.error;
      replayed.events++;
      replayed.bytes += event.length;
      if (replayed.events === read.events) {
        if (replayed.bytes !== read.bytes) throw replayed.error;
        replayed = undefined;
      }
      return false;
    },
    hasAdvanced: () => hasAdvanced,
    first: () => first,
    rewind(error) {
      hasAdvanced = false;
      replayed = read.events === 0 ? undefined : { events: 0, bytes: 0, error };
    },
    end() {
      if (replayed !== undefined) throw replayed.error;
    },
  };
}

/** Whether an event has more than a comment, or than the second half of a line end. */
function isData(event: Uint8Array): boolean {
  // Not by destructuring, which would make an iterator for each event.
  const byte = event[0];
  return byte !== COLON && byte !== LF && byte !== CR;
}

function isSame(event: Uint8Array, other: Uint8Array | undefined): boolean {
  return event.length === other?.length && event.every((byte, at) => byte === other[at]);
}
