import { expect, test } from "vitest";
import { type ModelRecorder, recordedModel } from "./recorded-model.ts";

const CALL = { type: "tool-call", toolName: "book" };
const FINISH = { type: "finish" };
const TEXT = { type: "text-delta", delta: "Hello" };

/** A recorder that keeps the results and reports when each one is recorded. */
function setUp(known?: { value: unknown }) {
  const events: string[] = [];
  const recorded: unknown[] = [];
  const recorder: ModelRecorder = {
    begin: () => ({
      known,
      async record(value) {
        await Promise.resolve();
        events.push("recorded");
        recorded.push(value);
      },
      fail: () => void events.push("failed"),
    }),
  };
  return { events, recorded, wrap: <Model>(model: Model) => recordedModel(model, () => recorder) };
}

const modelOf = (...parts: unknown[]) => ({
  calls: 0,
  async doStream() {
    this.calls += 1;
    return { stream: streamOf(parts) };
  },
});

function streamOf(parts: readonly unknown[]): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

async function read(stream: ReadableStream<unknown>, events: string[]): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of stream) {
    events.push(typeOf(part));
    parts.push(part);
  }
  return parts;
}

const typeOf = (part: unknown) => String((part as { type: unknown }).type);

test("text of the model is passed on at once, and a tool is called only after the whole model call is recorded", async () => {
  const { events, recorded, wrap } = setUp();
  const { stream } = await wrap(modelOf(TEXT, CALL, FINISH)).doStream();
  expect(await read(stream, events)).toEqual([TEXT, CALL, FINISH]);
  expect(events).toEqual(["text-delta", "recorded", "tool-call", "finish"]);
  expect(recorded).toEqual([[TEXT, CALL, FINISH]]);
});

test("a recorded model call is not made again", async () => {
  const { events, wrap } = setUp({ value: [TEXT, FINISH] });
  const model = modelOf("never read");
  const { stream } = await wrap(model).doStream();
  expect(await read(stream, events)).toEqual([TEXT, FINISH]);
  expect(model.calls).toBe(0);
});

test.each([
  ["ends without a finish", [TEXT]],
  ["has an error in it", [TEXT, { type: "error" }, FINISH]],
])("a model call that %s is not recorded", async (_, parts) => {
  const { events, recorded, wrap } = setUp();
  const { stream } = await wrap(modelOf(...parts)).doStream();
  expect(await read(stream, events)).toEqual(parts);
  expect(recorded).toEqual([]);
  expect(events).toContain("failed");
});

test("a model call that is cancelled or fails leaves its place in the record to the next one", async () => {
  const { events, wrap } = setUp();
  const { stream } = await wrap(modelOf(TEXT, FINISH)).doStream();
  await stream.cancel();
  const rejecting = wrap({
    doStream: async (): Promise<{ stream: ReadableStream }> => Promise.reject(new Error("no")),
  });
  await expect(rejecting.doStream()).rejects.toThrow("no");
  expect(events).toEqual(["failed", "failed"]);
});

test("a model that is given by its name is returned unchanged", () => {
  expect(setUp().wrap("provider/model")).toBe("provider/model");
});
