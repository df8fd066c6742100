import type { TurnRunner } from "../ports/index.ts";

/** A turn in memory ends in the process that began it. */
const NEVER = new AbortController().signal;

/** Runs each turn once, in this process. Records nothing, because no turn runs again. */
export function createMemoryTurnRunner(): TurnRunner {
  const running = new Map<string, AbortController>();
  return {
    register: (_name, body) =>
      function run(turnId, input) {
        const stop = new AbortController();
        running.set(turnId, stop);
        return body(turnId, input, { stop: stop.signal, letGo: NEVER }).finally(() => running.delete(turnId));
      },
    async stop(turnId, reason) {
      const stop = running.get(turnId);
      stop?.abort(new DOMException(reason, "AbortError"));
      return stop !== undefined;
    },
    wake: async (turnId) => running.has(turnId),
    release: async () => false,
    tool: (_call, run) => run(),
    step: (_name, run) => run(),
    wait: (run) => run(),
    hold: (run) => run(),
    bind: (callback) => callback,
    async pump(_turnId, chunks, { append }) {
      for await (const chunk of chunks) await append(chunk);
    },
    model: (model) => model,
  };
}
