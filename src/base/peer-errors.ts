import { safeLog } from "./foreign-error.ts";

/** How the errors of a protocol's handlers leave the process. */
export interface PeerErrorRules<ProtocolError extends Error> {
  /** Whether the error is one of the protocol. Those are written for the peer. */
  readonly isOfProtocol: (error: unknown) => error is ProtocolError;
  /** What the peer gets for any other error: a fixed text, because the error's own says too much about the inside. */
  readonly internal: () => ProtocolError;
  /** Gets the other errors, safe to log. */
  readonly onError: (error: unknown) => void;
}

/** The errors that the peer of a protocol gets. */
export interface PeerErrors<ProtocolError extends Error> {
  /** What the peer gets for an error. Tells `onError` about one that is not of the protocol. */
  outward(error: unknown): ProtocolError;
  /** Runs a handler, and throws what the peer gets if it fails. */
  guard<Result>(run: () => Result | Promise<Result>): Promise<Result>;
}

/**
 * The rule of every protocol that peers reach the agent by: an error of the protocol passes to the peer, and everything
 * else goes to the operator's log while the peer gets a fixed text.
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
