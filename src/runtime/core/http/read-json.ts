import { isObject } from "../../../protocol/json.ts";

export type JsonBody =
  | { ok: true; value: Readonly<Record<string, unknown>> }
  | { ok: false; status: 400 | 413 | 415; detail: string };

/** Reads a JSON object of at most `maxBytes` and stops reading where it gets longer. */
export async function readJson(request: Request, maxBytes: number): Promise<JsonBody> {
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    return { ok: false, status: 415, detail: "Send the body as application/json." };
  }
  // Somebody else's having read it is a fault of the server. Of a body that ends too early the sender has gone.
  const isRead = request.bodyUsed;
  try {
    const bytes = await readBytes(request, maxBytes);
    if (bytes === undefined)
      return { ok: false, status: 413, detail: `The body is larger than ${maxBytes} bytes.` };
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? { ok: true, value } : notJson;
  } catch (error) {
    if (isRead) throw error;
    return notJson;
  }
}

const notJson: JsonBody = { ok: false, status: 400, detail: "The body is not a JSON object." };

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const { headers } = request;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  if (length > maxBytes) return undefined;
  // HTTP ends a body where its length says, and servers have a short way to such a body as a whole.
  const saysItsLength =
    length <= maxBytes && !headers.has("transfer-encoding") && !headers.has("content-encoding");
  return saysItsLength ? new Uint8Array(await request.arrayBuffer()) : readUpTo(request.body, maxBytes);
}

async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
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
