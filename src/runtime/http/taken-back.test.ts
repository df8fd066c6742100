import { expect, test } from "vitest";
import { createChatClient, readStream } from "../../../test/stages/chat-client.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createMemoryTurnStream } from "../index.ts";
import type { StreamChunk, TurnLease } from "../internal.ts";

const START = { type: "start", messageId: "m1" };
const STEP = { type: "start-step" };
const TEXT = { type: "text-start", id: "t1" };
const delta = (text: string) => ({ type: "text-delta", id: "t1", delta: text });
const FINISH = { type: "finish" };

/** A turn that writes the chunks from the test. The test can discard parts of its log, as a runner does. */
function setUp() {
  const stream = createMemoryTurnStream();
  let lease: TurnLease | undefined;
  let turnId = "";
  const chunks: StreamChunk[] = [];
  let wake = () => {};
  const { fetch, errors } = createTestRuntime(
    async function* run(turn) {
      turnId = turn.id;
      for (;;) {
        const chunk = chunks.shift();
        if (chunk !== undefined) yield chunk;
        else await new Promise<void>((resolve) => (wake = resolve));
        if (chunk?.type === "finish") return;
      }
    },
    {
      ports: {
        stream: {
          ...stream,
          async lease(id) {
            lease = await stream.lease(id);
            return lease;
          },
        },
      },
    },
  );
  return {
    errors,
    ada: createChatClient(fetch, { user: "ada" }),
    write(...more: StreamChunk[]) {
      chunks.push(...more);
      wake();
    },
    discard: async (from: number) => stream.discard(turnId, from, { fence: lease?.fence ?? 0 }),
  };
}

test("a client that has read discarded text loses its connection, and reads the new text when it reconnects", async () => {
  const { ada, write, discard, errors } = setUp();
  const first = await ada.send("c1");
  write(START, STEP, delta("Hel"));
  await expect.poll(() => first.chunks).toHaveLength(3);
  await discard(1);
  await expect(first.done).rejects.toThrow("taken back");
  const again = readStream(await ada.fetch("/run/api/chat/c1/stream"));
  write(STEP, delta("Hi"), FINISH);
  await again.done;
  expect(again.chunks).toEqual([START, STEP, delta("Hi"), FINISH]);
  expect(errors).toEqual([]);
});

test("a client that has not read the discarded text continues reading", async () => {
  const { ada, write, discard } = setUp();
  const stream = await ada.send("c1");
  write(START);
  await expect.poll(() => stream.chunks).toHaveLength(1);
  await discard(1);
  write(STEP, delta("Hi"), FINISH);
  await stream.done;
  expect(stream.chunks).toEqual([START, STEP, delta("Hi"), FINISH]);
});

test("data chunks stay when text is discarded, and the reader continues", async () => {
  const { ada, write, discard } = setUp();
  const stream = await ada.send("c1");
  const note = { type: "data-note", id: "n1", data: 1 };
  write(START, note);
  await expect.poll(() => stream.chunks).toHaveLength(2);
  await discard(1);
  write(FINISH);
  await stream.done;
  expect(stream.chunks).toEqual([START, note, FINISH]);
});

test("a reply without a stream contains only text that was not discarded", async () => {
  const { ada, write, discard } = setUp();
  const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "Go" }] }];
  const reply = ada.fetch("/run/api/chat", { body: { id: "c1", messages, stream: false } });
  write(START, STEP, TEXT, delta("Hel"));
  await expect.poll(() => ada.fetch("/run/api/chat/c1/stream").then(({ status }) => status)).toBe(200);
  const log = readStream(await ada.fetch("/run/api/chat/c1/stream"));
  await expect.poll(() => log.chunks).toHaveLength(4);
  await discard(1);
  write(STEP, TEXT, delta("Hi"), FINISH);
  await expect(log.done).rejects.toThrow("taken back");
  expect(await (await reply).json()).toMatchObject({ parts: [{ type: "text", text: "Hi" }] });
});

test("an agent cannot discard text that a client has read by passing on the chunks of another agent", async () => {
  const { ada, write, errors } = setUp();
  const stream = await ada.send("c1");
  const passedOn = { type: "data-turn-discard", data: { from: 0 }, transient: true };
  write(START, STEP, delta("Hi"));
  await expect.poll(() => stream.chunks).toHaveLength(3);
  write(passedOn, FINISH);
  await stream.done;
  expect(stream.chunks).toEqual([START, STEP, delta("Hi"), FINISH]);
  expect(errors.map(String)).toEqual([expect.stringContaining("data-turn-discard")]);
});
