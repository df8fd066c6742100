import { ChannelError } from "./channel.ts";
import { isObject } from "../contract/json.ts";

/** The statuses of missing routes. */
const NOT_OFFERED: ReadonlySet<number> = new Set([404, 405, 501]);

export function isNotOffered({ status }: Response): boolean {
  return NOT_OFFERED.has(status);
}

/** The error for a reply to an optional route. If a server had the route before, it is only away for a moment. */
export function notReadable(
  url: string,
  response: Response,
  { isOffered }: { readonly isOffered: boolean },
  hint = "",
): ChannelError {
  const notOffered = isNotOffered(response) && !isOffered;
  return new ChannelError(`${url} answered ${response.status}${hint}`, { retryable: false, notOffered });
}

export function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return seconds >= 0 ? seconds * 1_000 : undefined;
}

/** A property of a JSON value; `undefined` when the value is not an object or lacks it. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** A property that is a list; empty when there is no such list. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

/**
 * Yields the `data` of each event of a server-sent event stream, in order (HTML standard, 9.2.6). Lines may end in `\n`,
 * `\r\n` or `\r`. Skips comments and other fields, and an event that the end of the stream cuts off. Throws what reading
 * `body` throws. Leaving the loop early cancels `body`.
 */
export async function* readSseData(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A \r at the end may be the first half of \r followed by a newline, so it waits for the next chunk.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.splice(-1).join("");
      for (const line of lines) {
        if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
        else if (line === "" && data.length > 0) {
          yield data.join("\n");
          data = [];
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
