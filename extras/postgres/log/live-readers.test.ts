import { expect, test } from "vitest";
import { signal, testTurn } from "../../../test/stages/test-ports.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { createSqlProxy } from "../../../test/stages/sql-proxy.ts";

const READS_PAGE = /left join lateral/;

test("a reader that has begun waits while the database is away, and then reads on", async () => {
  const { url } = await createTestDatabase();
  const network = await createSqlProxy(url);
  const [there, here] = [await startPorts(url), await startPorts(network.url, { retryForMs: 0 })];
  const turn = testTurn();
  await there.stream.open(turn, { replace: true });
  const lease = await there.stream.lease(turn.turnId);
  await there.stream.append(turn.turnId, { type: "start" }, lease);
  const reader = here.stream.read(turn.turnId, { live: true, signal })[Symbol.asyncIterator]();
  expect((await reader.next()).value).toMatchObject({ chunk: { type: "start" } });

  const isHeld = network.holdNext(READS_PAGE);
  const next = reader.next();
  await there.stream.append(turn.turnId, { type: "finish" }, lease);
  await isHeld;
  network.cut();
  // The next sweep of these ports fails, too. Neither tries again.
  await expect.poll(() => here.errors).not.toEqual([]);
  network.open();
  expect((await next).value).toMatchObject({ chunk: { type: "finish" } });
});

test("a reader that begins while the database is away gets the error, so that its client tries again", async () => {
  const { url } = await createTestDatabase();
  const network = await createSqlProxy(url);
  const here = await startPorts(network.url, { retryForMs: 0 });
  network.cut();
  const reader = here.stream.read("t1", { live: true, signal })[Symbol.asyncIterator]();
  await expect(reader.next()).rejects.toThrow("connection to PostgreSQL was lost");
});
