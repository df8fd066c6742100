import type { TurnRunner } from "../ports.ts";

/** Runs each turn once, in this process. Nothing is recorded, because nothing is run again. */
export function createMemoryTurnRunner(): TurnRunner {
  return {
    register: (_name, body) => body,
    tool: (_call, run) => run(),
    step: (_name, run) => run(),
    async pump(_turnId, chunks, append) {
      for await (const chunk of chunks) await append(chunk);
    },
    model: (model) => model,
  };
}
