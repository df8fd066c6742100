import { type Clock, systemClock } from "./clock.ts";
import { readUnlessSilent } from "./silence.ts";

/**
 * Yields the `data` of each event of a server-sent event stream, in order (HTML standard, 9.2.6). Lines may end in `\n`,
 * `\r\n` or `\r`. Skips comments and other fields, and an event that the end of the stream cuts off. Throws what reading
 * `body` throws, and after a long silence if the stream has contained a comment. Leaving the loop early cancels `body`.
 */
export async function* readSseData(
  body: ReadableStream<Uint8Array>,
  clock: Clock = systemClock,
): AsyncGenerator<string, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  let hasComments = false;
  try {
    for (;;) {
      const { done, value } = await (hasComments ? readUnlessSilent(reader, clock) : reader.read());
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
        } else if (line.startsWith(":")) hasComments = true;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
