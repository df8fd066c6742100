import { keepAlive } from "elicit-kit/runtime";
import { expect } from "vitest";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { fieldCase } from "./field-case.ts";

const NEW_LINES = ["\r\n", "\r"] as const;

/** A stream of a route that writes these chunks and is then silent. */
async function silentAfter(
  chunks: readonly string[],
): Promise<{ comment: () => Promise<string | undefined> }> {
  const clock = createManualClock();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
  const { body: kept } = keepAlive(new Response(body), { everyMs: 100, clock });
  const reader = kept!.getReader();
  for (const chunk of chunks) expect(new TextDecoder().decode((await reader.read()).value)).toBe(chunk);
  return {
    async comment() {
      const next = reader.read();
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(100);
      const silence = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
      const read = await Promise.race([next, silence]);
      return read?.value && new TextDecoder().decode(read.value);
    },
  };
}

for (const line of NEW_LINES) {
  const name = JSON.stringify(line);
  fieldCase(
    { sources: ["hey-api/hey-api#3054", "modelcontextprotocol/php-sdk#401"], before: "failed" },
    `a stream whose lines end with ${name} gets a comment between its events`,
    async () => {
      const { comment } = await silentAfter([`data: 1${line}${line}`]);
      expect(await comment()).toBe(": keep-alive\n\n");
    },
  );

  fieldCase(
    { sources: ["hey-api/hey-api#3054"], before: "failed" },
    `a stream whose lines end with ${name} gets a comment after a blank line that comes in a chunk of its own`,
    async () => {
      const { comment } = await silentAfter([`data: 1${line}`, ...line]);
      expect(await comment()).toBe(": keep-alive\n\n");
    },
  );

  fieldCase(
    { sources: ["modelcontextprotocol/php-sdk#401"], before: "passed" },
    `a stream whose lines end with ${name} gets no comment inside an event`,
    async () => {
      const { comment } = await silentAfter(["data: 0\n\n", `data: 1${line}`]);
      expect(await comment()).toBeUndefined();
    },
  );
}

fieldCase(
  { sources: ["hey-api/hey-api#3054"], before: "failed" },
  "a stream with an empty chunk between its events gets a comment",
  async () => {
    const { comment } = await silentAfter(["data: 1\n\n", ""]);
    expect(await comment()).toBe(": keep-alive\n\n");
  },
);
