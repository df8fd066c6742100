import { isObject } from "../contract/json.ts";
import { KitError, isKitError } from "../contract/kit-error.ts";

const OWN = "elicit-kit: ";
const MAX_CAUSES = 3;
const MAX_FRAMES = 10;

/** Error messages of JavaScript engines that contain only code, never input. */
const ENGINE_WORDS = [
  /^(?:fetch failed|Failed to fetch|terminated|Invalid URL|Maximum call stack size exceeded)$/,
  /^(?:This|The) operation was aborted(?: due to timeout)?\.?$/,
  /^Cannot read properties of (?:undefined|null) \(reading '[A-Za-z_$][\w$]{0,40}'\)$/,
  /^[A-Za-z_$][\w$.]{0,80} is not (?:a function|a constructor|defined|iterable)$/,
];

/** Safe details of an error, from a caller that knows its library. */
export interface KnownOfError {
  /** A message without user input and secrets. */
  words?: string | undefined;
  /** The HTTP status. */
  status?: number | undefined;
  code?: string | undefined;
}

/**
 * An error of third-party code, in a form that is safe to log. Libraries, providers and servers repeat their input in
 * messages and properties: user input, links that work without a login, tokens. So this error contains only the name, the
 * code, the status and the stack frames of the original and its causes.
 */
export class ForeignError extends KitError {
  override readonly name = "ForeignError";
  readonly #original: unknown;

  constructor(original: unknown, known: KnownOfError = {}, depth = 0) {
    const cause = original instanceof Error && depth < MAX_CAUSES ? causeOf(original) : undefined;
    super(
      OWN + summaryOf(original, known),
      cause === undefined ? undefined : { cause: loggable(cause, depth + 1) },
    );
    this.stack = [`${this.name}: ${this.message}`, ...framesOf(original)].join("\n");
    this.#original = original;
  }

  /** See {@link originalOf}. A static function, because loggers that print all properties would call a getter. */
  static reveal(error: unknown): unknown {
    return error instanceof ForeignError ? error.#original : error;
  }
}

/**
 * Returns the original of an error that `onError` got, with its message and properties. Loggers cannot reach it on their
 * own. Log it only where it cannot contain user data, such as in development.
 */
export function originalOf(error: unknown): unknown {
  return ForeignError.reveal(error);
}

/** Makes an error safe to log: keeps the kit's own errors, without extra properties, and wraps others in {@link ForeignError}. */
export function loggable(error: unknown, depth = 0): unknown {
  if (error instanceof ForeignError) return error;
  if (!isKitError(error)) return new ForeignError(error, {}, depth);
  if (error.cause === undefined) return error;
  const copy = new KitError(error.message);
  copy.name = error.name;
  copy.stack = [`${error.name}: ${error.message}`, ...framesOf(error)].join("\n");
  if (depth < MAX_CAUSES) copy.cause = loggable(error.cause, depth + 1);
  return copy;
}

/**
 * Wraps the operator's `onError`. It gets each error in the form that `safe` returns, and it may throw or reject. Without
 * this, a failing logger would end the process, because the kit calls `onError` in places where errors are not caught.
 * Every entry of the kit that takes an `onError` wraps it with this.
 */
export function safeLog(
  onError: (error: unknown) => void,
  safe: (error: unknown) => unknown = loggable,
): (error: unknown) => void {
  return (reported) => {
    // Inside a promise, because an async `onError` fails later.
    new Promise<void>((resolve) => resolve(onError(safe(reported)))).catch(reportUnlogged).catch(() => {});
  };
}

function reportUnlogged(failure: unknown): void {
  // oxlint-disable-next-line no-console -- the log of the operator is what failed
  console.error(
    "elicit-kit: onError has failed, so an error is missing in its log. Catch the errors of onError there.",
    loggable(failure),
  );
}

/** A short reason for an error message of the kit: the kit's or the engine's own message, or else name and code. */
export function reasonOf(error: unknown): string {
  if (!isKitError(error)) return shortOf(error, {});
  const { message } = error;
  return message.startsWith(OWN) ? message.slice(OWN.length) : message;
}

function summaryOf(error: unknown, known: KnownOfError): string {
  if (!(error instanceof Error)) return `a value was thrown that is not an Error (${typeof error})`;
  const words = known.words ?? engineWords(error);
  if (words !== undefined) return shortOf(error, { ...known, words });
  return `${shortOf(error, known)}. Its message is left out because it may contain user input or secrets. originalOf() of elicit-kit/runtime returns the original error.`;
}

/** Name, status and code of an error of third-party code, and its message only if it is the engine's. */
function shortOf(error: unknown, known: KnownOfError): string {
  if (!(error instanceof Error)) return "a value was thrown that is not an Error";
  const details = [statusOf(error, known), known.code ?? codeOf(error)].filter((one) => one !== undefined);
  const words = known.words ?? engineWords(error);
  const name = /^[A-Za-z]\w{0,60}$/.test(error.name) ? error.name : "Error";
  return `${name}${details.length === 0 ? "" : ` (${details.join(", ")})`}${words === undefined ? "" : `: ${words}`}`;
}

function engineWords({ message }: Error): string | undefined {
  return ENGINE_WORDS.some((known) => known.test(message)) ? message : undefined;
}

function statusOf(error: Error, known: KnownOfError): string | undefined {
  const properties: unknown = error;
  const status =
    known.status ?? (isObject(properties) ? (properties["statusCode"] ?? properties["status"]) : undefined);
  return Number.isInteger(status) && Number(status) >= 100 && Number(status) < 600
    ? `status ${String(status)}`
    : undefined;
}

/** The code of a system (`ECONNREFUSED`), database (`42P01`) or protocol (`-32000`) error. A failed fetch has it in its cause. */
function codeOf(error: Error, depth = 0): string | undefined {
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "string" && /^[A-Z0-9_]{2,40}$/.test(code)) return code;
  if (Number.isInteger(code)) return String(code);
  const cause = causeOf(error);
  return cause instanceof Error && depth < MAX_CAUSES ? codeOf(cause, depth + 1) : undefined;
}

function causeOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause;
}

/** The frames of a stack. Skips the message before them, which may contain lines that look like frames. */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || typeof error.stack !== "string") return [];
  const { stack, message } = error;
  const at = stack.indexOf(message);
  if (at < 0) return [];
  return stack
    .slice(at + message.length)
    .split("\n")
    .filter((line) => /^ {4}at (?!data:)[\w$.<>[\]# *:/\\()@~+%,-]{1,300}$/.test(line))
    .slice(0, MAX_FRAMES);
}

/**
 * The error for an app without an installed optional package. Load such a package with `await import(…)` inside `try`.
 * With `.catch()` instead, bundlers fail in an app without the package.
 *
 * @param user the feature that needs the package
 */
export function missingPackage(name: string, user: string, cause: unknown): KitError {
  return new KitError(
    `elicit-kit: ${user} needs the package ${name}, which could not be loaded. Install it: npm install ${name}`,
    { cause },
  );
}

/** The same value in every copy of this module, because bundlers may load it more than once. */
const BRAND = /* @__PURE__ */ Symbol.for("elicit-kit.store-away");

/**
 * A store could not serve a call, and the reason is not the data of the call: it is away, full, locked or read-only. The
 * same call may succeed later. So it ends no turn, and an HTTP request gets 503.
 */
export class StoreAway extends KitError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, BRAND, { value: true });
  }
}

export function isStoreAway(error: unknown): error is Error {
  return isKitError(error) && Reflect.get(error, BRAND) === true;
}
