import type { Transport } from "@modelcontextprotocol/client";
import { KitError } from "../../../contract/kit-error.ts";

/** A request whose stream is watched. */
export interface WatchedRequest {
  /** Aborts when the connection of the request is lost. */
  readonly lost: AbortSignal;
  /** For the SDK's options of the request: they say which request a stream belongs to. */
  readonly options: { readonly relatedRequestId?: string };
}

/** Makes one request, and rejects when its connection is lost. */
export type Watch = <T>(request: (watched: WatchedRequest) => Promise<T>) => Promise<T>;

/** Time for a result that the SDK still processes when its stream ends. */
const GRACE_MS = 100;

/**
 * Notices when the stream of a request ends before its result and cannot be resumed. The SDK would wait for the result
 * until the request times out.
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
