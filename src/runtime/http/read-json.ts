import { isObject } from "../../contract/json.ts";
import type { BodyHold, ReachedLimit } from "../turn/input-limit.ts";

export type JsonBody =
  | { ok: true; value: Readonly<Record<string, unknown>>; bytes: number }
  | { ok: false; status: 400 | 413; detail: string }
  | { ok: false; limit: ReachedLimit };

/** Checks the headers of a body before it is read: its media type and its declared length. */
export function checkJsonHeaders(
  request: Request,
  maxBytes: number,
): { status: 413 | 415; detail: string } | undefined {
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    return { status: 415, detail: "Send the body as application/json." };
  }
  return (bodyLength(request) ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

/** The declared length of the body. */
function bodyLength({ headers }: Request): number | undefined {
  const length = headers.get("content-length");
  return length === null || !/^\d+$/.test(length) ? undefined : Number(length);
}

/** Reads a JSON object. Stops reading when it exceeds `maxBytes` or the capacity of `hold`. */
export async function readJson(
  request: Request,
  { maxBytes, hold }: { maxBytes: number; hold: Pick<BodyHold, "add"> },
): Promise<JsonBody> {
  // A body that was already read is a bug of the server. If reading fails otherwise, the sender has disconnected.
  const isRead = request.bodyUsed;
  try {
    const bytes = await readBytes(request, (length, more) =>
      length > maxBytes ? { ok: false, ...tooLarge(maxBytes) } : refusedBy(hold.add(more)),
    );
    if (!(bytes instanceof Uint8Array)) return bytes;
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? { ok: true, value, bytes: bytes.byteLength } : notJson;
  } catch (error) {
    if (isRead) throw error;
    return notJson;
  }
}

const SHORT_BODY = 16 * 1024;

type Refused = Extract<JsonBody, { ok: false }>;

/** Called before `more` bytes are kept. `length` includes them. */
type Check = (length: number, more: number) => Refused | undefined;

const refusedBy = (limit: ReachedLimit | undefined): Refused | undefined =>
  limit === undefined ? undefined : { ok: false, limit };

const notJson: JsonBody = { ok: false, status: 400, detail: "The body is not a JSON object." };

const tooLarge = (maxBytes: number) => ({
  status: 413 as const,
  detail: `The body is larger than ${maxBytes} bytes.`,
});

async function readBytes(request: Request, check: Check): Promise<Uint8Array | Refused> {
  const { headers } = request;
  const length = bodyLength(request);
  // A short body with a declared length is read at once, which is faster. A large one is counted as it arrives: otherwise
  // a client could reserve memory by only announcing a body.
  const isShort = length !== undefined && length <= SHORT_BODY;
  if (!isShort || headers.has("transfer-encoding") || headers.has("content-encoding")) {
    return readPieces(request.body, check);
  }
  return check(length, length) ?? new Uint8Array(await request.arrayBuffer());
}

async function readPieces(
  body: ReadableStream<Uint8Array> | null,
  check: Check,
): Promise<Uint8Array | Refused> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    const refused = check(length, value.byteLength);
    if (refused !== undefined) {
      await reader.cancel();
      return refused;
    }
    pieces.push(value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}
