import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

test("a serverless function is kept awake until the turn that runs in it has ended", async () => {
  const kept: Promise<void>[] = [];
  let isAwake = true;
  const runtime = createTestRuntime(asking(CITY), {
    platform: {
      waitUntil(run) {
        kept.push(run.then(() => void (isAwake = false)));
      },
    },
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect(kept).toHaveLength(1);
  expect(isAwake).toBe(true);
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Rome" } });
  await stream.done;
  await Promise.all(kept);
  expect(isAwake).toBe(false);
});

test("turns also run if the platform refuses to stay awake, and this is reported once", async () => {
  const runtime = createTestRuntime(asking(CITY), {
    platform: {
      waitUntil() {
        throw new Error("outside of a request");
      },
    },
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  for (const conversation of ["c1", "c2"]) {
    const stream = await ada.send(conversation);
    const { elicitationId } = await stream.request();
    await ada.answer(conversation, { elicitationId, action: "accept", content: { city: "Rome" } });
    await stream.done;
    expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: expect.stringContaining("Rome") }));
  }
  expect(runtime.errors).toEqual([
    expect.objectContaining({ message: expect.stringContaining("waitUntil refused a turn") }),
  ]);
});
