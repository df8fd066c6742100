import type { Transport } from "@modelcontextprotocol/client";

/** What a call waits for: its result, or that of its task. */
const WATCHED: ReadonlySet<string> = new Set(["tools/call", "tasks/result"]);
/** Time for a result that the SDK still processes when its stream ends. */
const GRACE_MS = 100;

/**
 * Notices when the stream of a tool call ends before its result and cannot be resumed. The SDK would wait for the result
 * until the call times out. Returns a function that makes one call under this watch.
 */
export function watchStreams(
  transport: Transport,
  service: string,
): <T>(call: (lost: AbortSignal) => Promise<T>) => Promise<T> {
  let current: AbortController | undefined;
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const call = "method" in message && WATCHED.has(message.method) ? current : undefined;
    if (call === undefined) return send(message, options);
    const onRequestStreamEnd = () =>
      void setTimeout(
        () => call.abort(new Error(`elicit-kit: the connection to ${service} was lost during the call.`)),
        GRACE_MS,
      );
    return send(message, { ...options, onRequestStreamEnd });
  };
  return async (call) => {
    const lost = new AbortController();
    current = lost;
    try {
      return await call(lost.signal);
    } catch (error) {
      throw lost.signal.aborted ? lost.signal.reason : error;
    }
  };
}
