import { safeLog } from "./foreign-error.ts";

/** The rules for errors of a protocol's handlers. */
export interface PeerErrorRules<ProtocolError extends Error> {
  /** Whether the error belongs to the protocol. Such errors are written for the peer. */
  readonly isOfProtocol: (error: unknown) => error is ProtocolError;
  /** The error that the peer gets instead of any other error: a fixed text, because the original may reveal internals. */
  readonly internal: () => ProtocolError;
  /** Called with the other errors, safe to log. */
  readonly onError: (error: unknown) => void;
}

/** The errors that the peer of a protocol gets. */
export interface PeerErrors<ProtocolError extends Error> {
  /** Returns the error that the peer gets. Calls `onError` for an error outside the protocol. */
  outward(error: unknown): ProtocolError;
  /** Runs a handler. If it fails, throws the error that the peer gets. */
  guard<Result>(run: () => Result | Promise<Result>): Promise<Result>;
}

/**
 * Implements one rule for all protocols: an error of the protocol is passed to the peer. Any other error goes to the
 * operator's log, and the peer gets a fixed text.
 */
export function createPeerErrors<ProtocolError extends Error>(
  rules: PeerErrorRules<ProtocolError>,
): PeerErrors<ProtocolError> {
  const onError = safeLog(rules.onError);

  function outward(error: unknown): ProtocolError {
    if (rules.isOfProtocol(error)) return error;
    onError(error);
    return rules.internal();
  }

  return {
    outward,
    async guard(run) {
      try {
        return await run();
      } catch (error) {
        throw outward(error);
      }
    },
  };
}
