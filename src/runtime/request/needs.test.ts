import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { createMemoryRecords } from "./memory-records.ts";

/** A process of this version, and an open request that a process of a newer version has written. */
async function setUp() {
  const clock = createManualClock();
  const records = createMemoryRecords({ clock });
  const runtime = createTestRuntime(asking(CITY), { ports: { records, clock } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  const record = await records.get(elicitationId);
  if (record === undefined) throw new Error("there is no record");
  const write = (needs: readonly string[], revision: number) =>
    records.compareAndSet({ ...record, needs, revision });
  await write(["two signatures"], record.revision + 1);
  return { runtime, ada, stream, elicitationId, write, revision: record.revision + 1 };
}

test("a request that a newer version has written is not listed, and its answer gets 503 until this version can handle it", async () => {
  const { ada, stream, elicitationId, write, revision } = await setUp();
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  const refused = await ada.answer("c1", answer);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  const list = async () => (await ada.fetch("/run/api/elicitations")).json();
  expect(await list()).toEqual({ items: [] });
  await write([], revision + 1);
  expect((await list()).items).toHaveLength(1);
  expect((await ada.answer("c1", answer)).status).toBe(200);
  await stream.done;
});
