import { parseJson } from "../../src/contract/parse-json.ts";

/** A reply whose body has been read completely. */
export interface Reply {
  /** The HTTP request of this reply, for messages: `POST /elicitation-responses`. */
  readonly to: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; `undefined` when it is not JSON. */
  readonly body: unknown;
}

/** The contract allows at most three lookups, half a second apart, before a reply. */
const REPLY_MS = 10_000;
/** Larger than any reply that a case causes. */
const MAX_REPLY_MIB = 16;
/** Statuses for which fetch follows a Location header (Fetch, "redirect status"). */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Statuses whose responses have no body (Fetch, "null body status"). */
const HAS_NO_BODY = new Set([101, 103, 204, 205, 304]);

/** Waits for the response to the request `to`, within the time limit. */
export function answered(to: string, response: Promise<Response>): Promise<Response> {
  const late = new Nonconformity(`${to} was not answered within ${REPLY_MS} ms`);
  return within(named(to, response), late);
}

async function within<T>(promise: Promise<T>, late: Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), REPLY_MS);
  });
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

/** The same response, with an error if it is longer than any reply that a case needs. */
export function bounded(response: Response): Response {
  // A service worker gives a 204 an empty body, but the Response constructor refuses a 204 with a body.
  if (response.body === null || HAS_NO_BODY.has(response.status)) return response;
  let left = MAX_REPLY_MIB * 1024 * 1024;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      left -= piece.byteLength;
      if (left < 0) throw new Error(`it is longer than ${MAX_REPLY_MIB} MiB`);
      controller.enqueue(piece);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}

/** The origin that a response to a request for `url` redirects to; `undefined` when it is no redirect. */
export function redirectOrigin(response: Response, url: string): string | undefined {
  // A browser hides the target of a redirect.
  if (response.type === "opaqueredirect") return "an origin that the browser hides";
  const location = response.headers.get("location");
  if (!REDIRECTS.has(response.status) || location === null) return undefined;
  return URL.canParse(location, url) ? new URL(location, url).origin : "an address that is not a URL";
}

/** Reads a reply to its end. */
export async function readReply(to: string, response: Response): Promise<Reply> {
  const late = new Nonconformity(`${to} got no whole reply within ${REPLY_MS} ms`);
  const text = await within(named(to, response.text()), late);
  return { to, status: response.status, headers: response.headers, text, body: parseJson(text) };
}

/** An error for a server that cannot be reached, with the failed HTTP request. */
function named<T>(to: string, reply: Promise<T>): Promise<T> {
  return reply.catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Nonconformity(`${to} got no whole reply: ${reason}${causeOf(error)}`);
  });
}

/** The server breaks a rule. The message contains the expected and the actual value. */
export class Nonconformity extends Error {
  override readonly name = "Nonconformity";
}

/** The rule could not be checked. The message says what is missing. */
export class NotChecked extends Error {
  override readonly name = "NotChecked";
}

/** Throws a {@link Nonconformity} unless `condition` holds. */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Nonconformity(message);
}

/** Throws a {@link Nonconformity} unless both values are the same JSON. */
export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [show(actual), show(expected)];
  ensure(got === wanted, `${what}: expected ${wanted}, got ${got}`);
}

/** Formats a value as JSON for a message, shortened if it is long. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** The cause of a `fetch` error in brackets, or an empty string. */
export function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
}

/** Invisible characters: controls, direction marks, joiners, lone surrogates, tags. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const MAX_LENGTH = 2000;

/**
 * Makes untrusted text visible on one line. A terminal would interpret some characters (move the cursor, clear the
 * screen), and others would disguise the text.
 */
export function visibleText(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return cut.replaceAll(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
