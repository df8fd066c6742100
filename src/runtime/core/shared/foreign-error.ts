import { isObject } from "../../../protocol/json.ts";

const OWN = "elicit-kit: ";
const MAX_CAUSES = 3;
const MAX_FRAMES = 10;

/** Words of engines that name code and nothing that came in. */
const ENGINE_WORDS = [
  /^(?:fetch failed|Failed to fetch|terminated|Invalid URL|Maximum call stack size exceeded)$/,
  /^(?:This|The) operation was aborted(?: due to timeout)?\.?$/,
  /^Cannot read properties of (?:undefined|null) \(reading '[A-Za-z_$][\w$]{0,40}'\)$/,
  /^[A-Za-z_$][\w$.]{0,80} is not (?:a function|a constructor|defined|iterable)$/,
];

/** What else may be told of an error, by who knows the library that it comes from. */
export interface KnownOfError {
  /** Words without anything that people said, and without secrets. */
  words?: string | undefined;
  /** Of HTTP. */
  status?: number | undefined;
  code?: string | undefined;
}

/**
 * An error of somebody else's code, in a form that can be logged. Libraries, providers and servers repeat in their
 * words and properties what they were given: what a person said, links that open without a login, tokens. So this one
 * holds the name, the code and the status of the error and of its causes, and the places in the code it came through.
 */
export class ForeignError extends Error {
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

  /** See {@link originalOf}. A function, because a getter would be read by tools that print everything. */
  static reveal(error: unknown): unknown {
    return error instanceof ForeignError ? error.#original : error;
  }
}

/**
 * What was thrown, with all it carries, for an error that `onError` was given. Loggers do not find it. Log it only where
 * nobody's data can be in it, such as in development.
 */
export function originalOf(error: unknown): unknown {
  return ForeignError.reveal(error);
}

/** The error as it may be logged: the kit's own as they are, without what they carry; all others as a {@link ForeignError}. */
export function loggable(error: unknown, depth = 0): unknown {
  if (error instanceof ForeignError) return error;
  if (!(error instanceof Error) || !error.message.startsWith(OWN)) return new ForeignError(error, {}, depth);
  if (error.cause === undefined) return error;
  const copy = new Error(error.message);
  copy.name = error.name;
  copy.stack = [`${error.name}: ${error.message}`, ...framesOf(error)].join("\n");
  if (depth < MAX_CAUSES) copy.cause = loggable(error.cause, depth + 1);
  return copy;
}

/** The operator's log, which gets only what is {@link loggable}. */
export function safeLog(onError: (error: unknown) => void): (error: unknown) => void {
  return (error) => onError(loggable(error));
}

/** In a few words, for a sentence of ours about a failure: the kit's own words, those of the engine, or name and code. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && error.message.startsWith(OWN)
    ? error.message.slice(OWN.length)
    : shortOf(error, {});
}

function summaryOf(error: unknown, known: KnownOfError): string {
  if (!(error instanceof Error)) return `something was thrown that is not an Error (${typeof error})`;
  const words = known.words ?? engineWords(error);
  if (words !== undefined) return shortOf(error, { ...known, words });
  return `${shortOf(error, known)}. Its words are left out, since they may repeat what a person said, or a secret. originalOf() of elicit-kit/runtime gives the whole error.`;
}

function shortOf(error: unknown, known: KnownOfError): string {
  if (!(error instanceof Error)) return "something was thrown that is not an Error";
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

/** Of systems (`ECONNREFUSED`), databases (`42P01`) and protocols (`-32000`); for a failed fetch it is in the cause. */
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

/** The lines of a stack that name places in code. The words of the error come before them, and may look like some. */
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
