import { Nonconformity, causeOf } from "./assertions.ts";

/** A reply that has been read to its end. */
export interface Reply {
  /** What it is a reply to, for messages: `POST /elicitation-responses`. */
  readonly to: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; `undefined` when it is not JSON. */
  readonly body: unknown;
}

/** Three look-ups half a second apart are the longest work that the contract allows before a reply. */
const REPLY_MS = 10_000;
/** Above anything that a case makes a server say. */
const MAX_REPLY_MIB = 16;
/** Statuses with which fetch follows a Location (Fetch, "redirect status"). */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Statuses whose responses have no body (Fetch, "null body status"). */
const HAS_NO_BODY = new Set([101, 103, 204, 205, 304]);

/** The response to the request `to`, which must come in time. */
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

/** The same response, which fails where it gets longer than any that a case asks for. */
export function bounded(response: Response): Response {
  // A service worker gives a 204 an empty body, with which no response can be made again.
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
  // A browser hides where a redirect leads.
  if (response.type === "opaqueredirect") return "an origin that the browser hides";
  const location = response.headers.get("location");
  if (!REDIRECTS.has(response.status) || location === null) return undefined;
  return URL.canParse(location, url) ? new URL(location, url).origin : "an address that is not a URL";
}

/** Reads a reply to its end. */
export async function readReply(to: string, response: Response): Promise<Reply> {
  const late = new Nonconformity(`${to} got no whole reply within ${REPLY_MS} ms`);
  const text = await within(named(to, response.text()), late);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { to, status: response.status, headers: response.headers, text, body };
}

/** A failure to reach the server, with the request that failed. */
function named<T>(to: string, reply: Promise<T>): Promise<T> {
  return reply.catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Nonconformity(`${to} got no whole reply: ${reason}${causeOf(error)}`);
  });
}
