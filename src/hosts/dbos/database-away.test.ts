import { expect, test } from "vitest";
import { createDeferred } from "../../base/deferred.ts";
import type { RunTurn } from "../../runtime/index.ts";
import { createDbosProcesses } from "../../../test/stages/dbos-processes.ts";
import { createSqlProxy } from "../../../test/stages/sql-proxy.ts";
import { text } from "../../../test/stages/test-runtime.ts";

test("the database is away for longer than calls are tried again while a turn writes: the turn continues when it is back, and repeats no step", async () => {
  const { startProcess, query, url } = await createDbosProcesses();
  const network = await createSqlProxy(url);
  const goOn = createDeferred<void>();
  let times = 0;
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    await turn.runner.step("book", async () => void (times += 1));
    await goOn.promise;
    yield* text("Booked.");
  };
  const { ada, errors } = await startProcess(runTurn, {
    connectionString: network.url,
    retryForMs: 300,
  });
  const before = await ada.send("c1");
  before.done.catch(() => {});
  await expect.poll(() => times).toBe(1);
  network.cut();
  goOn.resolve();
  // What the turn itself could not do.
  await expect.poll(errors).not.toEqual([]);
  network.open();

  const log = async () =>
    (await query("select chunk::json as chunk from elicit_kit.log order by seq")).rows.map(
      ({ chunk }) => chunk,
    );
  await expect.poll(async () => (await log()).at(-1)?.type).toMatch(/^(finish|error|abort)$/);
  const chunks = await log();
  expect(chunks.at(-1)).toEqual({ type: "finish" });
  expect(chunks.map(({ delta = "" }) => delta).join("")).toBe("Booked.");
  expect(times).toBe(1);
});
