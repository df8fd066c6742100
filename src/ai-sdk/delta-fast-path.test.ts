import { safeValidateTypes } from "@ai-sdk/provider-utils";
import { array, assert, asyncProperty, constantFrom, property, string } from "fast-check";
import { uiMessageChunkSchema } from "ai";
import { describe, expect, it } from "vitest";
import { isPlainDelta } from "./hardened-stream.ts";

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

describe("the fast path for text deltas", () => {
  it("accepts all text that servers write, except rare escapes", () => {
    const text = string({ unit: "grapheme" }).filter((one) => !JSON.stringify(one).includes("\\u"));
    assert(
      property(text, text, (id, delta) => {
        for (const type of ["text-delta", "reasoning-delta"]) {
          expect(isPlainDelta(`data: ${JSON.stringify({ type, id, delta })}\n\n`)).toBe(true);
        }
        const tool = { type: "tool-input-delta", toolCallId: id, inputTextDelta: delta };
        expect(isPlainDelta(`data: ${JSON.stringify(tool)}\n\n`)).toBe(true);
      }),
      RUNS,
    );
  });

  it("never accepts an event that the AI SDK would refuse", async () => {
    const fragment = constantFrom(
      ...'"|\\|n|u|/|\n|\u0001|ü|,|}|:|x|\\n|\\u0041|","delta":"|"}\n\n|data: '.split("|"),
    );
    const head = constantFrom(
      'data: {"type":"text-delta","id":"',
      'data: {"type":"tool-input-delta","toolCallId":"',
    );
    await assert(
      asyncProperty(
        head,
        array(fragment, { maxLength: 6 }),
        array(fragment, { maxLength: 6 }),
        async (start, id, delta) => {
          const text = `${start}${id.join("")}","delta":"${delta.join("")}"}\n\n`;
          if (!isPlainDelta(text)) return;
          expect(text.split(/\n|\r/)).toHaveLength(3);
          const value: unknown = JSON.parse(text.slice(5));
          expect((await safeValidateTypes({ value, schema: uiMessageChunkSchema })).success).toBe(true);
        },
      ),
      RUNS,
    );
  });

  it.each([
    "",
    "data: ",
    'data: {"type":"text-delta","id":"t","delta":"',
    ": keep-alive\n\n",
    "data: [DONE]\n\n",
  ])("does not accept %j", (text) => expect(isPlainDelta(text)).toBe(false));
});
