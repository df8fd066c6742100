import type { Transport } from "@modelcontextprotocol/client";
import { KitError } from "../../contract/kit-error.ts";

/** A request whose stream is watched. */
export interface WatchedRequest {
  /** Aborts when the connection of the request is lost. */
  readonly lost: AbortSignal;
  /** The options for the SDK, which show to which request a stream belongs. */
  readonly options: { readonly relatedRequestId?: string };
}

/** Makes one request, and rejects when its connection is lost. */
export type Watch = <T>(request: (watched: WatchedRequest) => Promise<T>) => Promise<T>;

/** Time for the SDK to process a result when the stream ends. */
const GRACE_MS = 100;

/**
 * Detects that the stream of a request has ended before its result and cannot be resumed. The SDK would wait for the
 * result until the request times out.
 */
export function watchStreams(transport: Transport, service: string): Watch {
  const requests = new Map<unknown, AbortController>();
  let count = 0;
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const request = "method" in message ? requests.get(options?.relatedRequestId) : undefined;
    if (request === undefined) return send(message, options);
    const onRequestStreamEnd = () =>
      void setTimeout(
        () =>
          request.abort(new KitError(`elicit-kit: the connection to ${service} was lost during the call.`)),
        GRACE_MS,
      );
    return send(message, { ...options, onRequestStreamEnd });
  };
  return async (request) => {
    count += 1;
    const relatedRequestId = `watched-${count}`;
    const lost = new AbortController();
    requests.set(relatedRequestId, lost);
    try {
      return await request({ lost: lost.signal, options: { relatedRequestId } });
    } catch (error) {
      throw lost.signal.aborted ? lost.signal.reason : error;
    } finally {
      requests.delete(relatedRequestId);
    }
  };
}
