import { expect, test } from "vitest";
import { testTurn } from "../../../test/stages/test-ports.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";

test("a turn ends while the other turns of its process write without a pause", async () => {
  const { url } = await createTestDatabase();
  const { stream, errors } = await startPorts(url);
  const open = async () => {
    const turn = testTurn();
    await stream.open(turn, { replace: true });
    return { ...turn, ...(await stream.lease(turn.turnId)) };
  };
  const [busy, ending] = [await open(), await open()];
  const over = new AbortController();
  async function write(): Promise<void> {
    while (!over.signal.aborted) await stream.append(busy.turnId, { type: "text-delta" }, busy);
  }
  // The second write begins while the first one is in progress, so that a line always waits.
  const first = write();
  await new Promise((resolve) => setImmediate(resolve));
  const writing = Promise.all([first, write()]);
  await stream.append(ending.turnId, { type: "finish" }, ending);
  await stream.close(ending.turnId, ending);
  expect(await stream.get(ending.turnId)).toMatchObject({ ended: true });
  over.abort();
  await writing;
  expect(errors).toEqual([]);
});
