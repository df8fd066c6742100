export interface Progress {
  add(note: string): void;
  end(): void;
  /** The notes of the tool. Ends with the work. Can be read once. */
  readonly notes: AsyncIterable<string>;
}

/** Notes stay in the log of the turn, so their number is limited. */
const MAX_NOTES = 50;
const MAX_NOTE_LENGTH = 500;

export function createProgress(): Progress {
  const waiting: string[] = [];
  let added = 0;
  let hasEnded = false;
  let wake: (() => void) | undefined;

  async function* read(): AsyncGenerator<string> {
    for (;;) {
      const note = waiting.shift();
      if (note !== undefined) yield note;
      else if (hasEnded) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    add(note) {
      if (added >= MAX_NOTES || hasEnded) return;
      added += 1;
      waiting.push(note.slice(0, MAX_NOTE_LENGTH));
      wake?.();
    },
    end() {
      hasEnded = true;
      wake?.();
    },
    notes: read(),
  };
}
