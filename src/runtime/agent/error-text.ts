import { APICallError } from "ai";

/** A tool that says what went wrong in words meant for the model and the person. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

/** What a client is told about an error: enough to act on, nothing of what is inside. */
export function errorText(error: unknown): string {
  if (error instanceof ToolFailure) return error.message;
  if (APICallError.isInstance(error)) {
    const status =
      error.statusCode === undefined ? "could not be reached" : `answered with status ${error.statusCode}`;
    return `The model ${status}. Try again in a moment.`;
  }
  return "Something went wrong on the assistant's side.";
}
