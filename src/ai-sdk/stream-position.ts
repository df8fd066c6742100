const LF = 10;
const CR = 13;
const COLON = 58;

/** The position up to which a stream was read, so that a replay can continue from there. */
export interface StreamPosition {
  /**
   * Call it for each event of the stream, in order. `skip`: the event was passed before the connection broke. `changed`:
   * the replay differs from the events that were read. Throws the error of `rewind` if the replay is of another stream.
   */
  pass(event: Uint8Array, isStep: boolean): "new" | "skip" | "changed";
  /**
   * Call it after `changed`. Replaces the last step that was read with the one of the replay, and counts its events as
   * read. Returns the events before the changed one, without the `start-step`. `undefined`: more than the last step
   * differs.
   */
  replaceStep(event: Uint8Array): readonly Uint8Array[] | undefined;
  /** Whether an event was passed since the last `rewind`. */
  hasAdvanced(): boolean;
  /** The first event, if any was passed. */
  first(): Uint8Array | undefined;
  /** Call it when the connection broke with `error`. A replay of the whole stream follows. */
  rewind(error: unknown): void;
  /** Call it when the stream ends. Throws the error of `rewind` if the replay ends before the position that was read. */
  end(): void;
}

/**
 * Keeps a hash of each event, without comments such as keep-alives. The first event contains the message id, which
 * identifies a replay of the same stream.
 */
export function createStreamPosition(): StreamPosition {
  const read: number[] = [];
  let first: Uint8Array | undefined;
  let hasAdvanced = false;
  let replay: { events: number; readonly error: unknown } | undefined;
  /** The index at which the last step that was read begins. */
  let stepAt = -1;
  /** The events of the replay since the beginning of its step. */
  let step: Uint8Array[] = [];

  return {
    pass(event, isStep) {
      const isCounted = isData(event);
      if (replay === undefined) {
        if (!isCounted) return "new";
        first ??= event.slice();
        hasAdvanced = true;
        if (isStep) stepAt = read.length;
        read.push(hashOf(event));
        return "new";
      }
      if (!isCounted) return "skip";
      const at = replay.events;
      if (at === 0 && !isSame(event, first)) throw replay.error;
      if (hashOf(event) !== read[at]) return "changed";
      if (isStep) step = [];
      else step.push(event.slice());
      if (at + 1 < read.length) replay.events = at + 1;
      else {
        replay = undefined;
        step = [];
      }
      return "skip";
    },
    replaceStep(event) {
      if (replay === undefined || replay.events <= stepAt) return undefined;
      const again = step;
      read.length = replay.events;
      read.push(hashOf(event));
      hasAdvanced = true;
      replay = undefined;
      step = [];
      return again;
    },
    hasAdvanced: () => hasAdvanced,
    first: () => first,
    rewind(error) {
      hasAdvanced = false;
      step = [];
      replay = read.length === 0 ? undefined : { events: 0, error };
    },
    end() {
      if (replay !== undefined) throw replay.error;
    },
  };
}

/** A 32-bit FNV-1a hash. */
function hashOf(event: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < event.length; at++) hash = Math.imul(hash ^ (event[at] ?? 0), 0x01000193);
  return hash;
}

/** Whether an event has data: it is more than a comment, or than the second half of a line end. */
function isData(event: Uint8Array): boolean {
  // No destructuring, which would create an iterator for each event.
  const byte = event[0];
  return byte !== COLON && byte !== LF && byte !== CR;
}

function isSame(event: Uint8Array, other: Uint8Array | undefined): boolean {
  return event.length === other?.length && event.every((byte, at) => byte === other[at]);
}
