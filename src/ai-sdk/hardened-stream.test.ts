import { parseJsonEventStream, type UIMessageChunk, uiMessageChunkSchema } from "ai";
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  jsonValue,
  nat,
  oneof,
  string,
  tuple,
} from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { ElicitationRequest } from "../contract/contract.ts";
import { urlRequest } from "../contract/testing/requests.ts";
import { hardenStream, type HardenedStreamOptions } from "./hardened-stream.ts";
import { LONGEST_EVENT_BYTES } from "./sse-splitter.ts";

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

const request = urlRequest({ elicitationId: "e1" });
const resolution = { outcome: "declined", at: "2026-11-21T12:00:00Z" };
const part = { type: "data-elicitation-request", id: "e1", data: request };
const textEnd = { type: "text-end", id: "t" };

const event = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream(
    {
      pull(controller) {
        const { done, value } = iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

function cut(text: string, cuts: readonly number[]): Uint8Array[] {
  const all = bytesOf(text);
  const at = [...new Set(cuts.map((one) => one % (all.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...at].map((from, index) => all.slice(from, at[index] ?? all.length));
}

async function harden(text: string, options: HardenedStreamOptions = {}, cuts: readonly number[] = []) {
  const requests: ElicitationRequest[] = [];
  const stream = hardenStream(streamOf(cut(text, cuts)), {
    onRequest: (one) => requests.push(one),
    ...options,
  });
  return { requests, text: await new Response(stream).text() };
}

/** Reads the bytes with the AI SDK's own reader. Returns the chunks, or the error that would end the chat. */
async function asAiSdkReads(text: string): Promise<(UIMessageChunk | "broken")[]> {
  const stream = parseJsonEventStream({ stream: streamOf([bytesOf(text)]), schema: uiMessageChunkSchema });
  const chunks: (UIMessageChunk | "broken")[] = [];
  for await (const chunk of stream) chunks.push(chunk.success ? chunk.value : "broken");
  return chunks;
}

describe("chunks that would end a chat", () => {
  it("a request that the server sends as an event of its own becomes a data part", async () => {
    const bare = event(request) + event(textEnd);
    expect(await asAiSdkReads(bare)).toContain("broken");
    const { text, requests } = await harden(bare);
    expect(await asAiSdkReads(text)).toEqual([part, textEnd]);
    expect(requests).toEqual([request]);
  });

  it("the outcome of a request becomes a data part with the same id, with its resolution", async () => {
    const resolved = { type: "elicitation-resolved", elicitationId: "e1", resolution };
    const { text, requests } = await harden(event(request) + event(resolved));
    const ended = { ...request, resolution };
    expect(await asAiSdkReads(text)).toEqual([part, { ...part, data: ended }]);
    expect(requests).toEqual([request, ended]);
    expect(await harden(event(resolved))).toEqual({ text: "", requests: [] });
  });

  it("unknown chunk types are dropped, or passed on as data if configured", async () => {
    const text = event({ type: "tool-auth-required", toolName: "x" }) + event(textEnd);
    expect(await asAiSdkReads((await harden(text)).text)).toEqual([textEnd]);
    expect(await asAiSdkReads((await harden(text, { unknownChunks: "data" })).text)).toEqual([
      { type: "data-unknown", data: { type: "tool-auth-required", toolName: "x" } },
      textEnd,
    ]);
  });

  it.each([
    ["a broken line", "data: {broken\n\n"],
    ["data that is no object", "data: 7\n\ndata: []\n\ndata:\n\ndata\n\n"],
    ["a type that is no text", event({ type: 7 })],
    [
      "the name of something that objects have",
      event({ type: "constructor" }) + event({ type: "__proto__" }),
    ],
    ["a malformed request", event({ ...request, mode: "telepathy" })],
    ["a data part without data", event({ type: "data-weather" })],
    ["a request part without data", event({ type: "data-elicitation-request", id: "e2" })],
    ["a known chunk that lacks something", event({ type: "text-delta", id: "t" })],
  ])("are skipped: %s", async (_, bad) => {
    const { text, requests } = await harden(`${bad}${event(textEnd)}data: [DONE]\n\n`);
    expect(text).toBe(`${event(textEnd)}data: [DONE]\n\n`);
    expect(requests).toEqual([]);
  });

  it("an invalid optional field is removed, and the rest of the chunk is kept", async () => {
    const finish = { type: "finish", finishReason: "bored", messageMetadata: { cost: 1 } };
    const { text } = await harden(event({ ...textEnd, providerMetadata: 7 }) + event(finish));
    expect(await asAiSdkReads(text)).toEqual([textEnd, { type: "finish", messageMetadata: { cost: 1 } }]);
  });

  it.each([
    [{ type: "error", message: "boom", severity: "error" }, "boom"],
    [{ type: "error", error: "boom" }, "boom"],
    [{ type: "error" }, "The server reported an error."],
  ])("an error with another format gets a text: %o", async (bad, errorText) => {
    const { text } = await harden(event(bad));
    expect(await asAiSdkReads(text)).toEqual([{ type: "error", errorText }]);
  });

  it("keys that could reach a prototype, which the AI SDK refuses, are removed, however they are written", async () => {
    for (const key of ['"__proto__"', String.raw`"\u005f_proto__"`, '"constructor"']) {
      const bad = `data: {"type":"data-weather","data":{"sky":"blue","deep":[{${key}:{"prototype":1}}]}}\n\n`;
      expect(await asAiSdkReads(bad)).toEqual(["broken"]);
      const { text } = await harden(bad);
      expect(await asAiSdkReads(text)).toEqual([{ type: "data-weather", data: { sky: "blue", deep: [{}] } }]);
    }
  });

  it("a request with a field named __proto__ is reported unchanged, and left out of the messages", async () => {
    const asked = `{"type":"elicitation-request","elicitationId":"e1","mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}`;
    const text = `data: {"type":"data-elicitation-request","id":"e1","data":${asked}}\n\ndata: ${asked}\n\n`;
    const result = await harden(text);
    expect(result.text).toBe("");
    expect(result.requests).toHaveLength(2);
    for (const one of result.requests)
      expect(Object.keys(one.requestedSchema?.properties ?? {})).toEqual(["__proto__"]);
  });

  it("chunks that an older AI SDK does not know are dropped", async () => {
    const text =
      event({ type: "custom", kind: "a.b" }) + event({ type: "tool-output-denied", toolCallId: "c" });
    expect((await harden(text)).text).toBe(text);
    expect((await harden(text, { aiSdk: 6 })).text).toBe(
      event({ type: "tool-output-denied", toolCallId: "c" }),
    );
    expect((await harden(text, { aiSdk: 5 })).text).toBe("");
  });
});

describe("requests in a stream", () => {
  it("are read from data parts, whose bytes stay as they are", async () => {
    const text = event(part) + event({ ...part, data: { ...request, resolution } });
    expect(await harden(text)).toEqual({ text, requests: [request, { ...request, resolution }] });
  });

  it("get an id if the server omitted it, so that their outcome replaces them", async () => {
    const { text, requests } = await harden(event({ type: part.type, data: request }));
    expect(await asAiSdkReads(text)).toEqual([part]);
    expect(requests).toEqual([request]);
  });

  it("are not recognised in text", async () => {
    const text = event({ type: "text-delta", id: "t", delta: JSON.stringify(request) });
    expect(await harden(text)).toEqual({ text, requests: [] });
  });

  it("that came as text are left in the stream, and a listener learns that the server must confirm them", async () => {
    const onUnconfirmed = vi.fn();
    const custom = {
      type: "custom",
      kind: "elicit-kit.elicitation-request",
      providerMetadata: { "elicit-kit": request },
    };
    expect(await harden(event(custom), { onUnconfirmed })).toEqual({ text: event(custom), requests: [] });
    expect(onUnconfirmed).toHaveBeenCalledTimes(1);
  });
});

describe("an event that is too large to inspect", () => {
  const deep = (inside: string): string => "[".repeat(20_000) + inside + "]".repeat(20_000);
  const asked = JSON.stringify(request).slice(0, -1);
  const tooDeep = {
    "a bare request that is nested too deeply to be written again": `${asked},"context":{"trigger":"tool","more":${deep("")}}}`,
    "an unknown chunk that is nested too deeply": `{"type":"x","data":${deep("")}}`,
    "a key that the AI SDK refuses, nested too deeply to be found": `{"type":"data-x","data":${deep('{"__proto__":1}')}}`,
    "an id that cannot become text": `{"type":"elicitation-resolved","elicitationId":{"toString":1,"valueOf":1},"resolution":${JSON.stringify(resolution)}}`,
  };

  it.each(Object.entries(tooDeep))("is dropped, and the stream continues: %s", async (_, bad) => {
    const unknownChunks = bad.includes('"type":"x"') ? "data" : "drop";
    const { text } = await harden(`data: ${bad}\n\n${event(textEnd)}`, { unknownChunks });
    expect(text).toBe(event(textEnd));
  });

  it("is passed on if it is a delta, such as one with millions of escapes", async () => {
    const delta = "\n".repeat(4 * 1024 * 1024);
    for (const chunk of [
      { type: "text-delta", id: "t", delta },
      { type: "tool-input-delta", toolCallId: "c", inputTextDelta: delta },
    ]) {
      const long = event(chunk);
      expect(long.length).toBeGreaterThan(8 * 1024 * 1024);
      const { text } = await harden(long + event(textEnd), {}, [1_000, 70_000, 5_000_000]);
      expect(text === long + event(textEnd)).toBe(true);
    }
  });

  it("is dropped while it arrives, even if it never ends", async () => {
    const piece = bytesOf("x".repeat(1024 * 1024));
    function* endless(): Generator<Uint8Array> {
      yield bytesOf(`${event(textEnd)}data: `);
      for (let at = 0; at * piece.length <= LONGEST_EVENT_BYTES; at++) yield piece;
      yield bytesOf(`\n\n${event(textEnd)}`);
    }
    expect(await new Response(hardenStream(streamOf(endless()))).text()).toBe(event(textEnd).repeat(2));
  });

  it("never breaks the stream, wherever the network splits it", async () => {
    const good = constantFrom(event(textEnd), event(request), event(part), ": c\r\n\r\n");
    const bad = constantFrom(...Object.values(tooDeep).map((one) => `data: ${one}\n\n`));
    const noise = string({ unit: "binary" }).map((one) => `data: {"type":"text-delta","id":"${one}"}\n\n`);
    await assert(
      asyncProperty(
        array(oneof(good, bad, noise), { maxLength: 6 }),
        array(nat(), { maxLength: 6 }),
        async (pieces, cuts) => {
          const { text } = await harden(pieces.join(""), { unknownChunks: "data" }, cuts);
          expect(await asAiSdkReads(text)).not.toContain("broken");
        },
      ),
      { numRuns: Math.ceil(RUNS.numRuns / 3) },
    );
  });
});

describe("a stream made safe for the AI SDK", () => {
  it("passes an event on as soon as it is complete, and buffers only incomplete events", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const reader = hardenStream(readable).getReader();
    void writer.write(bytesOf(': keep-alive\n\ndata: {"type":"start"}\n\ndata: {"ty'));
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe(': keep-alive\n\ndata: {"type":"start"}\n\n');
    const next = reader.read();
    void writer.write(bytesOf('pe":"finish"}\r\n\r'));
    expect(new TextDecoder().decode((await next).value)).toBe('data: {"type":"finish"}\r\n\r');
    const last = reader.read();
    void writer.write(bytesOf("\n"));
    expect(new TextDecoder().decode((await last).value)).toBe("\n");
    await reader.cancel();
  });

  it("reads from the server only as fast as it is read", async () => {
    let sent = 0;
    function* chunks(): Generator<Uint8Array> {
      for (;;) {
        sent++;
        yield bytesOf(event(textEnd));
      }
    }
    const reader = hardenStream(streamOf(chunks())).getReader();
    await new Promise((resolve) => setTimeout(resolve));
    expect(sent).toBe(0);
    await reader.read();
    await reader.read();
    expect(sent).toBe(2);
    await reader.cancel();
  });

  it("passes a cancellation on, with its reason", async () => {
    const cancel = vi.fn();
    const reader = hardenStream(new ReadableStream({ cancel })).getReader();
    await reader.cancel("enough");
    expect(cancel).toHaveBeenCalledWith("enough");
  });

  it("fails when its source fails, after all data that had arrived", async () => {
    let pulls = 0;
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pulls++ === 0) controller.enqueue(bytesOf(event(textEnd)));
        else controller.error(new TypeError("network error"));
      },
    });
    const reader = hardenStream(source).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(event(textEnd));
    await expect(reader.read()).rejects.toThrow("network error");
  });

  it("reports that it is open when it is first read, and reports its end", async () => {
    for (const end of ["ended", "cancelled", "broken"] as const) {
      const told: string[] = [];
      const source = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (end === "ended") controller.close();
          else if (end === "broken") controller.error(new Error("gone"));
          else controller.enqueue(bytesOf(event(textEnd)));
        },
      });
      const reader = hardenStream(source, { onState: (state) => told.push(state) }).getReader();
      expect(told).toEqual([]);
      await reader.read().catch(() => undefined);
      await reader.cancel().catch(() => undefined);
      expect(told).toEqual(end === "broken" ? ["open", "lost", "closed"] : ["open", "closed"]);
    }
  });

  it("does not report that it is open or closed if it is cancelled before it is read", async () => {
    const onState = vi.fn();
    await hardenStream(streamOf([]), { onState }).cancel();
    expect(onState).not.toHaveBeenCalled();
  });

  it("continues when a listener throws, and reports the error to the page", async () => {
    const heard = new Promise((resolve) => process.once("uncaughtException", resolve));
    const onRequest = (): never => {
      throw new Error("a bug of the page");
    };
    expect((await harden(event(part), { onRequest })).text).toBe(event(part));
    expect(await heard).toEqual(new Error("a bug of the page"));
  });

  it("says once which message it writes, also after a comment that keeps the connection open", async () => {
    const onStart = vi.fn();
    const chunks = [{ type: "start", messageId: "m1" }, { type: "start-step" }, textEnd];
    await harden(`: keep-alive\n\n${chunks.map(event).join("")}`, { onStart });
    expect(onStart.mock.calls).toEqual([["m1"]]);
  });

  it("joins the data lines of one event, and accepts every line ending", async () => {
    const lines = JSON.stringify(request, null, 1).split("\n");
    for (const end of ["\n", "\r\n", "\r"]) {
      const spread = `id: 7${end}event: x${end}${lines.map((line) => `data:${line}`).join(end)}${end}${end}`;
      const { text, requests } = await harden(spread + spread);
      expect(requests).toEqual([request, request]);
      expect(await asAiSdkReads(text)).toEqual([part, part]);
    }
  });

  it("accepts a last event that the end of the stream cut off", async () => {
    const cutOff = event(textEnd).trimEnd();
    expect((await harden(cutOff)).text).toBe(cutOff);
    expect((await harden(`${cutOff}data: {"type":`)).text).toBe("");
  });

  it("needs linear time for an event that arrives in many pieces", async () => {
    const long = event({ type: "data-file", data: "x".repeat(4_000_000) });
    const pieces = Array.from({ length: 4_000 }, (_, index) => index * 1_000);
    expect((await harden(long, {}, pieces)).text).toBe(long);
  });

  it("keeps every byte of a valid stream, wherever the network splits it", async () => {
    const text = string({ unit: "grapheme" });
    const chunk = oneof(
      tuple(constantFrom("text-delta", "reasoning-delta"), text, text).map(([type, id, delta]) => ({
        type,
        id,
        delta,
      })),
      tuple(text, text).map(([toolCallId, inputTextDelta]) => ({
        type: "tool-input-delta",
        toolCallId,
        inputTextDelta,
      })),
      constant(part),
      jsonValue().map((data) => ({ type: "data-weather", data })),
    );
    await assert(
      asyncProperty(
        array(chunk),
        array(nat()),
        constantFrom("\n", "\r\n", "\r"),
        async (chunks, cuts, end) => {
          const good = chunks.map((one) => event(one).replaceAll("\n", end)).join(`: comment${end}${end}`);
          const safe = good.includes("proto") ? "" : good;
          expect((await harden(safe, {}, cuts)).text).toBe(safe);
        },
      ),
      RUNS,
    );
  });

  it("gives the same result, wherever the network splits the stream", async () => {
    const piece = constantFrom(
      event(request),
      event(textEnd),
      "data: {\n\n",
      ": c\n\n",
      "\n",
      "data: 7\r\r",
      event({ type: "x" }),
    );
    await assert(
      asyncProperty(array(piece), array(nat()), async (pieces, cuts) => {
        const whole = await harden(pieces.join(""));
        expect(await harden(pieces.join(""), {}, cuts)).toEqual(whole);
      }),
      RUNS,
    );
  });
});
