/** A call that cannot continue. The message is for the model. */
export class A2aRelayError extends Error {
  override readonly name = "A2aRelayError";
}

/** Also matches an error that was recorded before its turn ran again, and has lost its class. */
export function isA2aRelayError(error: unknown): error is Error {
  return error instanceof Error && error.name === "A2aRelayError";
}
