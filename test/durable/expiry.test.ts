import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { CITY, text } from "../stages/test-runtime.ts";

const runTurn: RunTurn = async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  yield* text((await turn.ask({ ...CITY, expiresInMs: 10_000 })).outcome);
};

test("the requests of parked turns expire even while another transaction locks the row of one of them", async () => {
  const { startProcess, parked, url } = await createDurableProcesses();
  const { ada, errors } = await startProcess(runTurn, { parkAfterMs: 20 });
  const streams = await Promise.all(["c1", "c2", "c3"].map((id) => ada.send(id)));
  const [held] = await Promise.all(streams.map((stream) => stream.request()));
  await expect.poll(parked).toBe(3);
  const other = new Client(url);
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("begin");
  await other.query(
    "select from elicit_kit.runs r join elicit_kit.records q using (turn_id) where q.id = $1 for update of r",
    [held?.elicitationId],
  );
  await Promise.all(streams.slice(1).map(({ done }) => done));
  await other.query("rollback");
  await Promise.all(streams.map(({ done }) => done));
  for (const { chunks } of streams) {
    expect(chunks).toContainEqual(expect.objectContaining({ delta: "expired" }));
  }
  expect(errors()).toEqual([]);
});
