import type { TurnRecorder, TurnRunner } from "../ports/index.ts";
import { newId } from "../../base/ids.ts";
import { CallOrder, stepOperation } from "./call-order.ts";

/** Never aborts: no other process can take over a turn in memory, and such a turn is not parked. */
const NEVER = new AbortController().signal;

/** Runs each turn once, in this process. */
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
    async overview(most) {
      const turns = Math.min(most, running.size);
      return { processes: [{ id: "here", isAlive: true, isHere: true, turns }], parked: 0 };
    },
  };
}

/** Tracks the calls of turns that no runner records. */
export interface UnrecordedCalls extends TurnRecorder {
  /** Runs a turn. */
  turn<Result>(run: () => Result): Result;
}

/**
 * Replaces the recorder of a runner without one: it only calls the given functions. Steps and questions that an engine
 * could not tell apart are refused all the same, so that developers notice this before they use one.
 */
export function createUnrecordedCalls(): UnrecordedCalls {
  const scopes = createAsyncScope<CallOrder>();
  const within = <Result>(run: () => Result): Result =>
    scopes === undefined ? run() : scopes.run(new CallOrder(), run);
  return {
    turn: within,
    tool(_call, run) {
      const order = scopes?.current();
      return order === undefined ? run() : order.beside(() => within(run));
    },
    step(name, run, { key } = {}) {
      const order = scopes?.current();
      return order === undefined ? run() : order.run(stepOperation(name, key), run);
    },
    ask({ elicitationId, ...question }, ask) {
      const order = scopes?.current();
      const asked = { elicitationId: elicitationId ?? newId(), isNew: true, isOpen() {} };
      if (order === undefined) return ask(asked);
      return elicitationId === undefined
        ? order.run(question, () => ask(asked))
        : order.beside(() => ask(asked));
    },
    hold: (run) => run(),
    background: async (work) => work(),
    untilAnswered: (wait) => wait(),
    bind(callback) {
      const order = scopes?.current();
      if (scopes === undefined || order === undefined) return callback;
      return (...args) => scopes.run(order, () => callback(...args));
    },
    async pump(_turnId, chunks, { append }) {
      for await (const chunk of chunks) await append(chunk);
    },
    model: (model) => model,
  };
}

/** A value that every function called inside `run` can read, even after an `await`. */
export interface AsyncScope<Value> {
  /** `undefined` outside of `run`. */
  current(): Value | undefined;
  run<Result>(value: Value, work: () => Result): Result;
}

/** `undefined` if there is no `AsyncLocalStorage`, for example in a browser. */
function createAsyncScope<Value>(): AsyncScope<Value> | undefined {
  // Not imported, because the runtime also runs in browsers, for tests and demos.
  const hooks = globalThis.process?.getBuiltinModule?.("node:async_hooks");
  if (hooks === undefined) return undefined;
  const storage = new hooks.AsyncLocalStorage<Value>();
  return { current: () => storage.getStore(), run: (value, work) => storage.run(value, work) };
}
