/** A failure of a tool whose message is meant for the model and the user. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";

  /** The text for the model. The AI SDK would put the name of the error before it. */
  override toString(): string {
    return this.message;
  }
}

/** Also matches an error that was recorded before its turn ran again, and has lost its class. */
export function isToolFailure(error: unknown): error is Error {
  return error instanceof Error && error.name === "ToolFailure";
}
