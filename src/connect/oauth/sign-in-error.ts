import * as oauth from "oauth4webapi";
import { reasonOf } from "../../base/foreign-error.ts";
import { KitError, isKitError } from "../../contract/kit-error.ts";

/** Why sign-in to a server is not possible now. The message is for the operator and contains no third-party text. */
export class SignInError extends KitError {
  override readonly name = "SignInError";
  // A private field, so that the error is one line in a log.
  readonly #code: string | undefined;
  readonly #isNotSetUp: boolean;
  readonly #needsApproval: boolean;

  constructor(
    message: string,
    {
      code,
      isNotSetUp = false,
      needsApproval = false,
    }: { code?: string | undefined; isNotSetUp?: boolean; needsApproval?: boolean } = {},
  ) {
    super(`elicit-kit: ${message}`);
    // No stack, so that the error is one line in the log. The stack would not show why a server is not set up.
    this.stack = `${this.name}: ${this.message}`;
    this.#code = code;
    this.#isNotSetUp = isNotSetUp;
    this.#needsApproval = needsApproval;
  }

  /** The error code of the authorization server (RFC 6749), if it is safe to show. */
  get code(): string | undefined {
    return this.#code;
  }

  /** Whether the operator must first register a client. */
  get isNotSetUp(): boolean {
    return this.#isNotSetUp;
  }

  /** Whether an administrator at the service must approve before the user can sign in. */
  get needsApproval(): boolean {
    return this.#needsApproval;
  }
}

/** The codes of a server that does not know a client or its secret: RFC 6749, 5.2; GitHub; Slack. */
export const UNKNOWN_CLIENT: ReadonlySet<string | undefined> = new Set([
  "invalid_client",
  "incorrect_client_credentials",
  "invalid_client_id",
  "bad_client_secret",
]);

/** A callback without a code, because an administrator must approve first. */
export class ApprovalNeeded extends KitError {
  constructor() {
    super("elicit-kit: an administrator there must approve this app first");
  }
}

/** The error of a call to an authorization server. It replaces the original, which may contain tokens. */
export function exchangeError(service: string, issuer: string, cause: unknown): SignInError {
  return new SignInError(`the sign-in to ${service} at ${issuer} failed: ${oauthFault(cause)}`, {
    code: oauthCode(cause),
    needsApproval: cause instanceof ApprovalNeeded,
  });
}

/** The OAuth error code of a server's response, if it looks like one. */
function oauthCode(error: unknown): string | undefined {
  const code =
    error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError
      ? error.error
      : undefined;
  return code !== undefined && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
}

/** A description of the problem, without text of the response. */
export function oauthFault(error: unknown): string {
  const code = oauthCode(error);
  if (code !== undefined) return code;
  // If the guard has cut a body off, the library only says that it could not be read.
  const guarded = [error, error instanceof Error ? error.cause : undefined].map(guardFault);
  const fault = guarded.find((words) => words !== undefined);
  if (fault !== undefined) return fault;
  return error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError
    ? error.message
    : reasonOf(error);
}

/** The error of a guarded `fetch` about one of its limits. */
function guardFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "TimeoutError") return "it took too long to answer";
  return isKitError(error) ? reasonOf(error) : undefined;
}
