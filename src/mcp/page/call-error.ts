import { KitError } from "../../contract/kit-error.ts";

/**
 * Why a channel ended a call: the user has declined or closed a page that the call needs (`declined`, `cancelled`), the
 * server asked for something that is no elicitation (`unsupported`), or it asked in more than ten rounds
 * (`too-many-rounds`).
 */
export type McpCallErrorCode = "declined" | "cancelled" | "unsupported" | "too-many-rounds";

/** `callTool` of an {@link McpChannel} ended the call itself. Errors of the server stay errors of the SDK. */
export class McpCallError extends KitError {
  override readonly name = "McpCallError";
  readonly code: McpCallErrorCode;

  /** `message` gets the prefix `elicit-kit:`. */
  constructor(code: McpCallErrorCode, message: string) {
    super(`elicit-kit: ${message}`);
    this.code = code;
  }
}
