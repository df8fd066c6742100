import type { TurnOperation, TurnRunner } from "../ports/index.ts";
import { createAsyncScope } from "../../base/async-scope.ts";
import { newId } from "../../base/ids.ts";
import { CallKeys } from "./call-keys.ts";

/** A turn in memory ends in the process that began it. */
const NEVER = new AbortController().signal;

/**
 * Runs each turn once, in this process. Records nothing, because no turn runs again. Steps and questions that an engine
 * could not tell apart are refused all the same, so that developers meet this before they use one.
 */
export function createMemoryTurnRunner(): TurnRunner {
  const running = new Map<string, AbortController>();
  const scopes = createAsyncScope<CallKeys>();
  const within = <Result>(run: () => Result): Result =>
    scopes === undefined ? run() : scopes.run(new CallKeys(), run);
  return {
    register: (_name, body) =>
      function run(turnId, input) {
        const stop = new AbortController();
        running.set(turnId, stop);
        return within(() => body(turnId, input, { stop: stop.signal, letGo: NEVER })).finally(() =>
          running.delete(turnId),
        );
      },
    async stop(turnId, reason) {
      const stop = running.get(turnId);
      stop?.abort(new DOMException(reason, "AbortError"));
      return stop !== undefined;
    },
    wake: async (turnId) => running.has(turnId),
    release: async () => false,
    tool(_call, run) {
      const keys = scopes?.current();
      return keys === undefined ? run() : keys.beside(() => within(run));
    },
    step(name, run, { key } = {}) {
      const keys = scopes?.current();
      return keys === undefined ? run() : keys.run(stepOperation(name, key), run);
    },
    ask({ elicitationId, ...question }, ask) {
      const keys = scopes?.current();
      const asked = { elicitationId: elicitationId ?? newId(), isNew: true, isOpen() {} };
      if (keys === undefined) return ask(asked);
      return elicitationId === undefined
        ? keys.run(question, () => ask(asked))
        : keys.beside(() => ask(asked));
    },
    hold: (run) => run(),
    bind(callback) {
      const keys = scopes?.current();
      if (scopes === undefined || keys === undefined) return callback;
      return (...args) => scopes.run(keys, () => callback(...args));
    },
    async pump(_turnId, chunks, { append }) {
      for await (const chunk of chunks) await append(chunk);
    },
    model: (model) => model,
  };
}

/** What makes a step the same in two runs of a turn: its name, and its key if it has one. */
export function stepOperation(name: string, key: string | undefined): TurnOperation {
  const identity = JSON.stringify(key === undefined ? [name] : [name, key]);
  return { kind: "step", name, identity, shape: "", hasKey: key !== undefined };
}
