/** Event streams as proxies and servers cut and mark them. */
import { expect } from "vitest";
import { readSseData } from "../../src/client/sse.ts";
import { fieldCase } from "./field-case.ts";

async function read(text: string, cut: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array[]): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of cut(bytes)) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const data of readSseData(body)) events.push(data);
  return events;
}
const oneByOne = (bytes: Uint8Array) => Array.from(bytes, (byte) => Uint8Array.of(byte));

fieldCase(
  { sources: ["elizaOS/eliza#19260", "vm0-ai/vm0#24687", "rexxars/eventsource-parser#41"], before: "passed" },
  "the first event of a stream that begins with a byte order mark is read, also when the mark is cut",
  async () => {
    const text = "\uFEFFdata: first\n\ndata: \uFEFFsecond\n\n";
    for (const cut of [oneByOne, (bytes: Uint8Array) => [bytes]])
      expect(await read(text, cut)).toEqual(["first", "\uFEFFsecond"]);
  },
);

fieldCase(
  { sources: ["praxis-proxy/praxis#739", "graniet/llm#90"], before: "passed" },
  "letters, line ends and events that chunks cut in two arrive whole",
  async () => {
    const text = "data:Grüße 👋\r\n\r\ndata: one\r\ndata: two\r\n\r\n: comment\n\ndata: three\r\rdata: lost";
    expect(await read(text, oneByOne)).toEqual(["Grüße 👋", "one\ntwo", "three"]);
  },
);
