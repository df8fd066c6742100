import {
  AISDKError,
  APICallError,
  LoadAPIKeyError,
  LoadSettingError,
  NoSuchModelError,
  NoSuchProviderError,
  RetryError,
} from "ai";
import { isObject } from "../contract/json.ts";
import { ForeignError, loggable } from "../base/foreign-error.ts";
import { isToolFailure } from "../base/tool-failure.ts";

/** The text of an error for clients: enough to act on, without internal details. */
export function errorText(error: unknown): string {
  if (isToolFailure(error)) return error.message;
  if (APICallError.isInstance(error)) {
    const status =
      error.statusCode === undefined ? "could not be reached" : `answered with status ${error.statusCode}`;
    return `The model ${status}. Try again in a moment.`;
  }
  return "Something went wrong on the assistant's side.";
}

/** Errors of the AI SDK whose messages only contain settings of the operator. */
const OF_SETTINGS = [LoadAPIKeyError, LoadSettingError, NoSuchModelError, NoSuchProviderError];
const MAX_WORDS_LENGTH = 500;
/** Names of the error for a model that is given by its name, if there is no valid key: in development, and in production. */
const GATEWAY_REFUSED = ["GatewayAuthenticationError", "GatewayError"];

/**
 * Makes an error safe for the operator's log. Errors of the AI SDK contain parts of the conversation, including users'
 * answers, in their properties and messages: a provider's words about a prompt, the URL of an unreadable image, an invalid
 * value.
 */
export function errorForLog(error: unknown): unknown {
  if (RetryError.isInstance(error) && error.lastError !== undefined) return errorForLog(error.lastError);
  if (error instanceof Error && GATEWAY_REFUSED.includes(error.name)) {
    return new ForeignError(error, {
      words: "set AI_GATEWAY_API_KEY to a valid key, or pass a model object.",
    });
  }
  if (!AISDKError.isInstance(error)) return loggable(error);
  const words = OF_SETTINGS.some((known) => known.isInstance(error))
    ? error.message.slice(0, MAX_WORDS_LENGTH)
    : undefined;
  return new ForeignError(error, { words, code: APICallError.isInstance(error) ? codeOf(error) : undefined });
}

/** The provider's error code, such as `context_length_exceeded`. Its message may repeat the prompt, so it is not used. */
function codeOf({ data }: APICallError): string | undefined {
  const details = isObject(data) && isObject(data["error"]) ? data["error"] : {};
  return [details["code"], details["type"]].find(
    (code): code is string => typeof code === "string" && /^[a-z][a-z0-9_]{2,60}$/.test(code),
  );
}
