import { parseJsonEventStream, uiMessageChunkSchema } from "ai";
import { hardenStream } from "../../src/ai-sdk/hardened-stream.ts";
import { array, assert, asyncProperty, constantFrom, dictionary, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { aiSdk } from "./ai-sdk.ts";

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

const TYPES =
  "start finish abort error message-metadata start-step finish-step reset-step text-start text-delta text-end " +
  "reasoning-start reasoning-delta reasoning-end tool-input-start tool-input-delta tool-input-available " +
  "tool-input-error tool-approval-request tool-approval-response tool-output-available tool-output-error " +
  "tool-output-denied custom source-url source-document file reasoning-file steering-message data-weather data- " +
  "raw ping constructor";
const FIELDS =
  "id delta messageId messageMetadata finishReason reason errorText providerMetadata toolMetadata toolCallId " +
  "toolName input output inputTextDelta inputEncoding title dynamic providerExecuted preliminary approvalId " +
  "approved isAutomatic signature kind sourceId url mediaType filename data transient citations parts";
const VALUES = ["x", "json", "stop", "unknown", "interrupted", true, 7, null, {}, { a: {} }, { a: 1 }, []];

const chunk = record({
  type: constantFrom(...TYPES.split(" ")),
  fields: dictionary(constantFrom(...FIELDS.split(" ")), constantFrom(...VALUES), { maxKeys: 40 }),
}).map(({ type, fields }) => ({ type, ...fields }));

async function read(stream: ReadableStream<Uint8Array>): Promise<readonly unknown[]> {
  const chunks: unknown[] = [];
  for await (const parsed of parseJsonEventStream({ stream, schema: uiMessageChunkSchema })) {
    chunks.push(parsed.success ? parsed.value.type : "broken");
  }
  return chunks;
}

const sse = (...values: readonly unknown[]): ReadableStream<Uint8Array> =>
  new Blob(values.map((value) => `data: ${JSON.stringify(value)}\n\n`)).stream();

describe(`whatever a server sends to AI SDK ${aiSdk}`, () => {
  it("becomes chunks that the AI SDK accepts", async () => {
    await assert(
      asyncProperty(array(chunk), async (sent) => {
        expect(await read(hardenStream(sse(...sent), { aiSdk }))).not.toContain("broken");
      }),
      RUNS,
    );
  });

  it("is dropped only if the AI SDK would refuse it", async () => {
    await assert(
      asyncProperty(chunk, async (sent) => {
        const [type] = await read(sse(sent));
        if (type === "broken") return;
        expect(await read(hardenStream(sse(sent), { aiSdk }))).toEqual([type]);
      }),
      RUNS,
    );
  });
});
