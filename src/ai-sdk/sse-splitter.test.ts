import { array, assert, constantFrom, nat, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { createSseSplitter } from "./sse-splitter.ts";

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };
const LONGEST = 12;
const decoder = new TextDecoder();

/** The events of a text that arrives in pieces, split at these positions. */
function split(text: string, cuts: readonly number[] = [], longest?: number): string[] {
  const bytes = new TextEncoder().encode(text);
  const at = [...new Set(cuts.map((one) => one % (bytes.length + 1)))].toSorted((a, b) => a - b);
  const splitter = createSseSplitter(longest);
  const events = [0, ...at].flatMap((from, index) => splitter.split(bytes.slice(from, at[index])));
  return [...events, ...splitter.rest()].map((event) => decoder.decode(event));
}

const line = constantFrom("data: a", "data: bcdefghijklmnop", ": c", "");
const lineEnd = constantFrom("\n", "\r\n", "\r");

describe("events", () => {
  it("end with their blank line, whatever the line ending", () => {
    expect(split("data: a\n\ndata: b\ndata: c\n\n: d")).toEqual([
      "data: a\n\n",
      "data: b\ndata: c\n\n",
      ": d",
    ]);
    expect(split("data: a\r\rdata: b\r\r")).toEqual(["data: a\r\r", "data: b\r\r"]);
    expect(split("data: a\r\n\r\ndata: b\r\n\r\n")).toEqual(["data: a\r\n\r", "\n", "data: b\r\n\r", "\n"]);
  });

  it("are the same wherever the network splits them, and no byte is lost", () => {
    assert(
      property(array(line), lineEnd, array(nat()), (lines, end, cuts) => {
        const text = lines.map((one) => one + end).join("");
        expect(split(text, cuts)).toEqual(split(text));
        expect(split(text, cuts).join("")).toBe(text);
      }),
      RUNS,
    );
  });

  it("are dropped when they are too long to buffer, and other events are kept", () => {
    assert(
      property(array(line), lineEnd, array(nat()), (lines, end, cuts) => {
        const text = lines.map((one) => one + end).join("");
        const dropped = split(text);
        const kept = split(text, cuts, LONGEST);
        for (const event of kept) {
          // A long event inside one piece needs no buffer.
          while (dropped[0] !== event && dropped[0] !== undefined) {
            expect(new TextEncoder().encode(dropped[0]).length).toBeGreaterThan(LONGEST - 2);
            dropped.shift();
          }
          expect(dropped.shift()).toBe(event);
        }
      }),
      RUNS,
    );
  });

  it("use memory only for the buffered part, however small the pieces are", () => {
    const splitter = createSseSplitter();
    for (let at = 0; at < 100_000; at++) splitter.split(Uint8Array.of(97));
    const [event] = splitter.split(Uint8Array.of(10, 10));
    expect(event?.length).toBe(100_002);
    expect(event?.buffer.byteLength).toBeLessThan(300_000);
  });
});
