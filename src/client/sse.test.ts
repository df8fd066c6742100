import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { readSseData } from "./sse.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
const RUNS = Number(process.env["FC_RUNS"] ?? 300);

/** The bytes of `text`, split at these positions. */
function bytes(text: string, cuts: readonly number[] = []): ReadableStream<Uint8Array> {
  const all = new TextEncoder().encode(text);
  const at = [...new Set(cuts.map((cut) => cut % (all.length + 1)))].toSorted((a, b) => a - b);
  const chunks = [0, ...at].map((from, i) => all.slice(from, at[i] ?? all.length));
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function read(text: string, cuts?: readonly number[]): Promise<string[]> {
  const all: string[] = [];
  for await (const data of readSseData(bytes(text, cuts))) all.push(data);
  return all;
}

describe("the reader of server-sent events", () => {
  it("yields the data of each event and skips comments and other fields", async () => {
    expect(await read(': keep-alive\n\nevent: x\nid: 1\ndata: {"a":1}\n\ndata:tight\n\n')).toEqual([
      '{"a":1}',
      "tight",
    ]);
  });

  it("joins the lines of one event", async () => {
    expect(await read("data: one\ndata: two\n\n")).toEqual(["one\ntwo"]);
  });

  it("does not deliver an event that the end of the stream cut off", async () => {
    expect(await read("data: whole\n\ndata: cut")).toEqual(["whole"]);
  });

  it("gives the same result however the bytes are split, with any line ending", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, " "))),
        fc.constantFrom("\n", "\r\n"),
        fc.array(fc.nat()),
        async (events, newline, cuts) => {
          const text = events.map((data) => `data: ${data}${newline}${newline}`).join("");
          expect(await read(text, cuts)).toEqual(events);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("releases the stream when the reader stops early", async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("data: more\n\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const data of readSseData(endless)) if (data === "more") break;
    expect(cancelled).toBe(true);
  });
});
