import { type RequestHandler, getResponse } from "msw";

/**
 * A `fetch` that calls MSW handlers directly, for tests in Node. Nothing is intercepted, so a stream can be aborted,
 * cancelled and read slowly as with a real server. (`setupServer` of `msw/node` 3.0 breaks on aborted streams and reads
 * them without a limit.)
 *
 * @param handlers those of a mock server, and any others; the first one that responds is used
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

/** Resolves a relative URL like a page; Node has no page. */
function absolute(input: string | URL): URL {
  return new URL(input, globalThis.location?.href ?? "http://localhost");
}

/** Resolves like the promise, or rejects as `fetch` does on abort: at once, even if the handler is still running. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Passes the stream on until it is aborted. Then the reader gets the reason, and the source is cancelled. */
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
