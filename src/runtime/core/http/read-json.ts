import { isObject } from "../../../protocol/json.ts";
import type { BodyRoom, Full } from "../turn/input-limit.ts";

export type JsonBody =
  | { ok: true; value: Readonly<Record<string, unknown>>; bytes: number }
  | { ok: false; status: 400 | 413; detail: string }
  | { ok: false; isFull: Full };

/** What can be said of a body before it is read: that it is not JSON, or says itself that it is too large. */
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

/** The length that the body says it has. */
function bodyLength({ headers }: Request): number | undefined {
  const length = headers.get("content-length");
  return length === null || !/^\d+$/.test(length) ? undefined : Number(length);
}

/** Reads a JSON object of at most `maxBytes`, and stops where it gets longer or `room` has no more. */
export async function readJson(
  request: Request,
  { maxBytes, room }: { maxBytes: number; room: Pick<BodyRoom, "add"> },
): Promise<JsonBody> {
  // Somebody else's having read it is a fault of the server. Of a body that ends too early the sender has gone.
  const isRead = request.bodyUsed;
  try {
    const bytes = await readBytes(request, (length, more) =>
      length > maxBytes ? { ok: false, ...tooLarge(maxBytes) } : noRoomFor(room.add(more)),
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

/** Asked before `more` bytes are kept, which make `length`. */
type Check = (length: number, more: number) => Refused | undefined;

const noRoomFor = (isFull: Full | undefined): Refused | undefined =>
  isFull === undefined ? undefined : { ok: false, isFull };

const notJson: JsonBody = { ok: false, status: 400, detail: "The body is not a JSON object." };

const tooLarge = (maxBytes: number) => ({
  status: 413 as const,
  detail: `The body is larger than ${maxBytes} bytes.`,
});

async function readBytes(request: Request, check: Check): Promise<Uint8Array | Refused> {
  const { headers } = request;
  const length = bodyLength(request);
  // HTTP ends a body where its length says, and servers have a short way to such a body as a whole. A large one counts
  // as it comes: else whoever only announces it would take the room of others for nothing.
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
