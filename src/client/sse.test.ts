import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createManualClock } from "../base/testing/manual-clock.ts";
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

  it.each(["\n", "\r\n"])("takes a long silence after a comment for a lost connection: %j", async (end) => {
    const clock = createManualClock();
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    const events = readSseData(stream.readable, clock);
    const next = events.next();
    const write = async (text: string) => writer.write(new TextEncoder().encode(text));
    await write(`: keep-alive${end}${end}`);
    await clock.advanceAsync(44_999);
    await write(`: keep-alive${end}${end}`);
    await clock.advanceAsync(44_999);
    await write(`data: one${end}${end}`);
    expect(await next).toEqual({ done: false, value: "one" });
    const last = events.next();
    await clock.advanceAsync(45_000);
    await expect(last).rejects.toThrow("elicit-kit: the connection was lost");
    await expect(writer.closed).rejects.toBeUndefined();
    expect(clock.waiting).toBe(0);
  });

  it("reads what has come while the page was frozen", async () => {
    const timers = new Set<() => void>();
    const clock = {
      now: Date.now,
      after(_ms: number, run: () => void) {
        timers.add(run);
        return () => void timers.delete(run);
      },
    };
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    const events = readSseData(stream.readable, clock);
    const next = events.next();
    await writer.write(new TextEncoder().encode(": keep-alive\n\n"));
    await expect.poll(() => timers.size).toBe(1);
    // A page that continues runs an overdue timer before it reads.
    const [overdue] = timers;
    timers.clear();
    overdue?.();
    await writer.write(new TextEncoder().encode("data: one\n\n"));
    expect(await next).toEqual({ done: false, value: "one" });
  });

  it("waits for a server that writes no comments, however long it is silent", async () => {
    const clock = createManualClock();
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    const events = readSseData(stream.readable, clock);
    const next = events.next();
    await writer.write(new TextEncoder().encode('data: {"a"\n'));
    await clock.advanceAsync(600_000);
    await writer.write(new TextEncoder().encode("data: :1}\n\n"));
    expect((await next).value).toBe('{"a"\n:1}');
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
