/** A value that every function called inside `run` can read, even after an `await`. */
export interface AsyncScope<Value> {
  /** `undefined` outside of `run`. */
  current(): Value | undefined;
  run<Result>(value: Value, work: () => Result): Result;
}

/** `undefined` if there is no `AsyncLocalStorage`, for example in a browser. */
export function createAsyncScope<Value>(): AsyncScope<Value> | undefined {
  // Not imported, because the runtime also runs in browsers, for tests and demos.
  const hooks = globalThis.process?.getBuiltinModule?.("node:async_hooks");
  if (hooks === undefined) return undefined;
  const storage = new hooks.AsyncLocalStorage<Value>();
  return { current: () => storage.getStore(), run: (value, work) => storage.run(value, work) };
}
