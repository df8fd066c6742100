interface Dispatcher {
  dispatch(options: object, handler: unknown): unknown;
  readonly isMockActive?: unknown;
}

/**
 * The global `fetch` without the limits that Node adds: it ends a response after 300 seconds without headers or without
 * a byte, and users take longer to answer. Only for calls with a `signal` that ends them. The connection is that of the
 * global dispatcher, so proxies and mocks stay in force. Other platforms have no such limits, or none to change.
 */
export const patientFetch: typeof globalThis.fetch = (input, init) => {
  const dispatcher = globalDispatcher();
  if (dispatcher === undefined) return globalThis.fetch(input, init);
  const patient: Dispatcher = {
    dispatch: (options, handler) =>
      dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
    get isMockActive() {
      return dispatcher.isMockActive;
    },
  };
  return globalThis.fetch(input, Object.assign({}, init, { dispatcher: patient }));
};

/** Where Node keeps the dispatcher of its `fetch`: from undici 8 on, and before. */
const PLACES = [Symbol.for("undici.globalDispatcher.2"), Symbol.for("undici.globalDispatcher.1")] as const;

function globalDispatcher(): Dispatcher | undefined {
  const version = globalThis.process?.versions?.["undici"];
  // Node creates it together with the classes of `fetch`.
  if (version === undefined || typeof globalThis.Request !== "function") return undefined;
  const place = PLACES[Number.parseInt(version, 10) >= 8 ? 0 : 1];
  const found: unknown = place && Reflect.get(globalThis, place);
  return isDispatcher(found) ? found : undefined;
}

function isDispatcher(value: unknown): value is Dispatcher {
  return (
    typeof value === "object" && value !== null && "dispatch" in value && typeof value.dispatch === "function"
  );
}
