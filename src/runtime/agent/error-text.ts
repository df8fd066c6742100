import {
  AISDKError,
  APICallError,
  LoadAPIKeyError,
  LoadSettingError,
  NoSuchModelError,
  NoSuchProviderError,
  RetryError,
} from "ai";
import { isObject } from "../../protocol/json.ts";
import { ForeignError, loggable } from "../core/internal.ts";

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

/** Of the AI SDK's errors those whose words name only what the operator has set. */
const OF_SETTINGS = [LoadAPIKeyError, LoadSettingError, NoSuchModelError, NoSuchProviderError];
const MAX_WORDS_LENGTH = 500;

/**
 * What the operator is told of an error. Those of the AI SDK carry the conversation with them, in properties and in
 * their words: what a provider says of a prompt, the address of a picture that could not be read, a value that does not
 * fit. People's answers are in it.
 */
export function errorForLog(error: unknown): unknown {
  if (RetryError.isInstance(error) && error.lastError !== undefined) return errorForLog(error.lastError);
  if (!AISDKError.isInstance(error)) return loggable(error);
  const words = OF_SETTINGS.some((known) => known.isInstance(error))
    ? error.message.slice(0, MAX_WORDS_LENGTH)
    : undefined;
  return new ForeignError(error, { words, code: APICallError.isInstance(error) ? codeOf(error) : undefined });
}

/** A provider's own code, such as `context_length_exceeded`: its words may repeat the prompt. */
function codeOf({ data }: APICallError): string | undefined {
  const details = isObject(data) && isObject(data["error"]) ? data["error"] : {};
  return [details["code"], details["type"]].find(
    (code): code is string => typeof code === "string" && /^[a-z][a-z0-9_]{2,60}$/.test(code),
  );
}
