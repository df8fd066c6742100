/** Events of one writer for one reader. */
export interface EventQueue<Event> extends AsyncIterable<Event> {
  push(event: Event): void;
  end(): void;
  fail(error: unknown): void;
}

export function createEventQueue<Event>(): EventQueue<Event> {
  const events: Event[] = [];
  let ended: { error?: unknown } | undefined;
  let wake: (() => void) | undefined;

  return {
    push(event) {
      events.push(event);
      wake?.();
    },
    end() {
      ended ??= {};
      wake?.();
    },
    fail(error) {
      ended ??= { error };
      wake?.();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* events.splice(0);
        if (events.length > 0) continue;
        if (ended !== undefined && "error" in ended) throw ended.error;
        if (ended !== undefined) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
