import { expect, test } from "vitest";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { TAKEN_OVER } from "../../../src/runtime/internal.ts";

const TURN = { turnId: "t1", conversationId: "c1", userId: "ada", surface: "chat", keepMs: 60_000 };

test("a process that has lost a turn cannot ask its questions, and the process that runs the turn can", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  await here.stream.open(TURN, { replace: true });
  const old = await here.stream.lease("t1");
  const latest = await there.stream.lease("t1");
  const late = testRecord({ turnId: "t1" });
  await expect(here.records.create(late, old)).rejects.toBe(TAKEN_OVER);
  expect(await there.records.get(late.request.elicitationId)).toBeUndefined();
  const asked = testRecord({ turnId: "t1" });
  expect(await there.records.create(asked, latest)).toEqual(asked);
});

test("a question can be asked if the log of its turn is stored elsewhere", async () => {
  const { url } = await createTestDatabase();
  const { records } = await startPorts(url);
  const record = testRecord({ turnId: "in memory" });
  expect(await records.create(record, { fence: 7 })).toEqual(record);
});
