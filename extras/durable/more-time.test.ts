import { expect, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { createDurableProcesses } from "../../test/stages/durable-processes.ts";
import { CITY, text } from "../../test/stages/test-runtime.ts";

const askBriefly: RunTurn = async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  yield* text((await turn.ask({ ...CITY, expiresInMs: 10_000 })).outcome);
};

test("a parked turn whose user got more time waits until the new end", async () => {
  const { startProcess, parked } = await createDurableProcesses();
  const { ada, errors } = await startProcess(askBriefly, { parkAfterMs: 20 });
  const stream = await ada.send("c1");
  const { elicitationId, expiresAt = "" } = await stream.request();
  await expect.poll(parked).toBe(1);
  const reply = await ada.fetch(`/run/api/elicitations/${elicitationId}/extend`, { body: {} });
  const later = Date.parse((await reply.json()).expiresAt);
  expect(later).toBeGreaterThan(Date.parse(expiresAt));
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "expired" }));
  const ended = stream.chunks.findLast(({ type }) => type === "data-elicitation-request");
  const { data } = JSON.parse(JSON.stringify(ended));
  expect(data.resolution.outcome).toBe("expired");
  expect(Date.parse(data.resolution.at)).toBeGreaterThanOrEqual(later);
  expect(errors()).toEqual([]);
});
