/**
 * The `data` of each event of a server-sent event stream, in order. Line ends may be `\n`, `\r\n` or `\r`, anywhere in
 * the chunks; comments and other fields are passed over; an event cut off by the end of the stream is not delivered
 * (HTML standard, 9.2.6). Throws what reading `body` throws; leaving the loop early cancels it.
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
      // A trailing \r may be the first half of \r\n: it waits for the next chunk.
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
