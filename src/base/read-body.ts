import { KitError, isKitError } from "../contract/kit-error.ts";

/** Why a body is refused, with the status of the reply. */
export interface RefusedBody {
  readonly ok: false;
  readonly status: 400 | 413 | 415;
  readonly reason: string;
}

/** The rules for reading a body. */
export interface BodyRules<Refusal = never> {
  /** Bytes. */
  readonly maxBytes: number;
  /** Other types are refused, because a form on another site could send them. @default ["application/json"] */
  readonly mediaTypes?: readonly string[] | undefined;
  /** Counts bytes before they are kept, and may refuse them. */
  readonly take?: ((bytes: number) => Refusal | undefined) | undefined;
}

const JSON_TYPES = ["application/json"];
const SHORT_BODY = 16 * 1024;
const NOT_JSON: RefusedBody = { ok: false, status: 400, reason: "The body is not JSON. Send a JSON object." };

const wasRead = (cause?: unknown) =>
  new KitError(
    "elicit-kit: the body of the request was read before the runtime got it. Mount the runtime before express.json() and other middleware that reads bodies.",
    { cause },
  );

/** Checks the headers that describe the body, before reading it: its media type and its length. */
export function checkBodyHeaders(
  request: Request,
  { maxBytes, mediaTypes = JSON_TYPES }: BodyRules<unknown>,
): RefusedBody | undefined {
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType === undefined || !mediaTypes.includes(mediaType)) {
    return { ok: false, status: 415, reason: `Send the body as ${mediaTypes.join(" or ")}.` };
  }
  return (declaredLength(request) ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

/** Checks the headers, and reads JSON. Stops reading as soon as the limit is exceeded. */
export async function readJson<Refusal = never>(
  request: Request,
  rules: BodyRules<Refusal>,
): Promise<{ readonly ok: true; readonly value: unknown; readonly bytes: number } | RefusedBody | Refusal> {
  const unfit = checkBodyHeaders(request, rules);
  if (unfit !== undefined) return unfit;
  // A body that was already read is a bug of the server. Any other failure means that the sender has disconnected.
  const isRead = request.bodyUsed;
  try {
    const bytes = await readBytes(request, rules);
    if (!(bytes instanceof Uint8Array)) return bytes;
    // HTTP servers break a request whose sender leaves early, so somebody else has read the declared bytes.
    if (bytes.byteLength === 0 && (declaredLength(request) ?? 0) > 0) throw wasRead();
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return { ok: true, value, bytes: bytes.byteLength };
  } catch (error) {
    if (isKitError(error)) throw error;
    // Node's adapter rejects so, although `bodyUsed` is false.
    if (isRead || (error instanceof TypeError && error.message.startsWith("Body is unusable")))
      throw wasRead(error);
    return NOT_JSON;
  }
}

/** Reads a body of at most `maxBytes`. */
export async function readBytes<Refusal = never>(
  request: Request,
  { maxBytes, take }: Pick<BodyRules<Refusal>, "maxBytes" | "take">,
): Promise<Uint8Array<ArrayBuffer> | RefusedBody | Refusal> {
  const { headers } = request;
  const length = declaredLength(request);
  if ((length ?? 0) > maxBytes) return tooLarge(maxBytes);
  // A short body with a declared length is read at once, which is faster. A large one is counted as it arrives: otherwise
  // a client could reserve memory by just declaring a length.
  const isShort = length !== undefined && length <= SHORT_BODY;
  if (isShort && !headers.has("transfer-encoding") && !headers.has("content-encoding")) {
    return take?.(length) ?? new Uint8Array(await request.arrayBuffer());
  }
  const reader = request.body?.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || value === undefined) break;
    size += value.byteLength;
    const refused = size > maxBytes ? tooLarge(maxBytes) : take?.(value.byteLength);
    if (refused !== undefined) {
      await reader?.cancel();
      return refused;
    }
    pieces.push(value);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}

function declaredLength({ headers }: Request): number | undefined {
  const length = headers.get("content-length");
  return length === null || !/^\d+$/.test(length) ? undefined : Number(length);
}

function tooLarge(maxBytes: number): RefusedBody {
  return { ok: false, status: 413, reason: `The body is larger than ${maxBytes} bytes.` };
}

/** The limit for bodies from `service`, in MiB. */
export interface LengthLimit {
  service: string;
  mib: number;
  /** The bytes read so far. Passed if several responses share a limit. */
  read?: { bytes: number } | undefined;
}

/** Limits the body of a response, because its readers buffer it. Reading more fails. */
export function limitLength(
  response: Response,
  { service, mib, read = { bytes: 0 } }: LengthLimit,
): Response {
  if (response.body === null) return response;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      read.bytes += piece.byteLength;
      if (read.bytes > mib * 1024 * 1024) {
        throw new KitError(`elicit-kit: ${service} answered with more than ${mib} MiB.`);
      }
      controller.enqueue(piece);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}
