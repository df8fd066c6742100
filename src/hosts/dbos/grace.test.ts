import { expect, test } from "vitest";
import type { RunTurn } from "../../runtime/index.ts";
import { createDbosProcesses } from "../../../test/stages/dbos-processes.ts";
import { text } from "../../../test/stages/test-runtime.ts";

test("a shutdown waits for a step for as long as the application says, and another process then does it again", async () => {
  const { startProcess } = await createDbosProcesses();
  let tries = 0;
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const booked = await turn.runner.step("book", async () => {
      tries += 1;
      return tries === 1 ? new Promise<never>(() => {}) : `booked in try ${tries}`;
    });
    yield* text(booked);
  };
  const first = await startProcess(runTurn, { graceMs: 20 });
  const stream = await first.ada.send("c1");
  stream.done.catch(() => {});
  await expect.poll(() => tries).toBe(1);
  // Without an end of its wait, this would never resolve.
  await first.runtime.close();
  const second = await startProcess(runTurn);
  await expect.poll(() => second.kept).toHaveLength(1);
  expect(tries).toBe(2);
  expect([...first.errors(), ...second.errors()]).toEqual([]);
});
