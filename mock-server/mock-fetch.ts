import { type RequestHandler, getResponse } from "msw";

/**
 * A `fetch` that asks MSW handlers directly, for tests in Node. Nothing is intercepted, so a stream can be aborted,
 * cancelled and read slowly as with a real server. (`setupServer` of `msw/node` 3.0 breaks on aborted streams and reads
 * them without bound.)
 *
 * @param handlers those of a mock server, and any others; the first that answers wins
 */
export function createMockFetch(handlers: readonly RequestHandler[]): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : absolute(input), init);
    const { signal } = request;
    signal.throwIfAborted();
    const response = await unlessAborted(getResponse([...handlers], request), signal);
    if (response === undefined) {
      throw new TypeError(
        `elicit-kit: no handler answers ${request.method} ${request.url}. Add one to those of createMockFetch.`,
      );
    }
    return response.body === null
      ? response
      : new Response(unlessAbortedStream(response.body, signal), response);
  };
}

/** As a page resolves its addresses; Node has no page. */
function absolute(input: string | URL): URL {
  return new URL(input, globalThis.location?.href ?? "http://localhost");
}

/** The promise, or the rejection that `fetch` gives on abort: at once, whatever the handler does. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The stream until it is aborted: then its reader gets the reason and its source is cancelled. */
function unlessAbortedStream(
  source: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const over = new AbortController();
  return new ReadableStream(
    {
      start(controller) {
        const onAbort = () => {
          controller.error(signal.reason);
          reader.cancel(signal.reason).catch(() => {});
        };
        signal.addEventListener("abort", onAbort, { signal: over.signal });
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (signal.aborted) return;
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        over.abort();
      },
      cancel(reason) {
        over.abort();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
