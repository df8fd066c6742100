import {
  AISDKError,
  APICallError,
  InvalidToolInputError,
  JSONParseError,
  RetryError,
  TypeValidationError,
} from "ai";

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

const MAX_LOGGED_LENGTH = 1000;

/**
 * What the operator is told of an error. Those of the AI SDK carry the conversation with them, in properties or in their
 * words, and people's answers are in it: they are made anew, with their name, their status and what can be said.
 */
export function errorForLog(error: unknown): unknown {
  if (RetryError.isInstance(error) && error.lastError !== undefined) return errorForLog(error.lastError);
  if (!AISDKError.isInstance(error)) return error;
  const status = APICallError.isInstance(error) ? ` (status ${error.statusCode ?? "unknown"})` : "";
  return new Error(`elicit-kit: ${error.name}${status}: ${wordsOf(error).slice(0, MAX_LOGGED_LENGTH)}`);
}

/** Without the value that did not fit, which may be the whole conversation. */
function wordsOf(error: unknown): string {
  if (JSONParseError.isInstance(error)) return "a text is not JSON";
  if (TypeValidationError.isInstance(error) || InvalidToolInputError.isInstance(error)) {
    return wordsOf(error.cause);
  }
  return error instanceof Error ? error.message : "a value does not have the shape it should have";
}
