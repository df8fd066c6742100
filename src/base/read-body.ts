/** A body as JSON, or the status and the reason of the refusal. */
export type ReadBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: 400 | 413 | 415; readonly reason: string };

/**
 * Reads a JSON body of at most `maxBytes`. Refuses media types that are not listed, because a form on another site could
 * send them.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  mediaTypes: readonly string[] = ["application/json"],
): Promise<ReadBody> {
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType === undefined || !mediaTypes.includes(mediaType)) {
    return { ok: false, status: 415, reason: `Send the body as ${mediaTypes.join(" or ")}.` };
  }
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || value === undefined) break;
    length += value.byteLength;
    if (length > maxBytes) {
      await reader?.cancel();
      return { ok: false, status: 413, reason: `The body is larger than ${maxBytes} bytes.` };
    }
    text += decoder.decode(value, { stream: true });
  }
  try {
    return { ok: true, value: JSON.parse(text + decoder.decode()) };
  } catch {
    return { ok: false, status: 400, reason: "The body is not JSON." };
  }
}
