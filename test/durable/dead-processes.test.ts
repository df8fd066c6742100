import { expect, onTestFinished, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { readStream } from "../stages/chat-client.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { CITY, text } from "../stages/test-runtime.ts";

/** Two processes. The first one can be cut off from the log and the records, which has the same effect as its death. */
async function setUp(runTurn: RunTurn, { sweepMs = 200, retryForMs = 300 } = {}) {
  const processes = await createDurableProcesses();
  const network = await createSqlProxy(processes.url);
  const answers = await createSqlProxy(processes.url);
  const home = await processes.startProcess(runTurn, {
    connectionString: network.url,
    sweepMs,
    retryForMs,
  });
  onTestFinished(() => network.open());
  const other = await processes.startProcess(runTurn, { connectionString: answers.url, sweepMs });
  const stream = await home.ada.send("c1");
  stream.done.catch(() => {});
  const { elicitationId } = await stream.request();
  const shown = readStream(await other.ada.fetch("/run/api/chat/c1/stream"));
  const statusOf = async () => (await other.runtime.elicitations.get(elicitationId))?.status;
  return { network, answers, home, other, shown, elicitationId, statusOf };
}

test("a process that loses its connections for a moment keeps its turn, even if the answer arrives at that moment", async () => {
  let runs = 0;
  const runTurn: RunTurn = async function* run(turn) {
    runs += 1;
    yield { type: "start", messageId: turn.id };
    yield* text((await turn.ask(CITY)).outcome);
  };
  // Longer than any reconnection, also on a busy machine.
  const { network, answers, other, shown, elicitationId } = await setUp(runTurn, {
    sweepMs: 60_000,
    retryForMs: 60_000,
  });
  const isHeld = answers.holdNext(/update .*records/s);
  const answering = other.ada.answer("c1", { elicitationId, action: "decline" });
  await isHeld;
  network.cut();
  answers.passHeld();
  // At once: on a busy machine, an answer takes longer than the other process waits for this one.
  network.open();
  expect((await answering).status).toBe(200);
  await shown.done;
  expect(shown.chunks).toContainEqual(expect.objectContaining({ delta: "declined" }));
  expect(runs).toBe(1);
});

/** The chunk that is appended to a log. */
const APPEND = /set length = t\.length/;

test("when a process dies between the answer and its display, the chat shows the answer, and the tool does not run again", async () => {
  let calls = 0;
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const said = await turn.runner.tool({ id: `${turn.id}/call`, name: "ask" }, async () => {
      calls += 1;
      return (await turn.ask({ ...CITY, message: "one" })).outcome;
    });
    const { outcome } = await turn.ask({ ...CITY, tool: undefined, message: "two" });
    yield* text(`${said} ${outcome}`);
  };
  const { network, other, shown, elicitationId } = await setUp(runTurn);
  const isHeld = network.holdNext(APPEND);
  await other.ada.answer("c1", { elicitationId, action: "decline" });
  await isHeld;
  const open = () => other.runtime.elicitations.listOpen("c1", "ada");
  await expect.poll(async () => (await open()).map(({ request }) => request.message)).toEqual(["two"]);
  network.cut();

  const two = await shown.request(0, ({ message }) => message === "two");
  expect(shown.chunks.filter(({ id }) => id === elicitationId)).toMatchObject([
    { data: { message: "one" } },
    { data: { resolution: { outcome: "declined" } } },
  ]);
  await other.ada.answer("c1", { ...two, action: "decline" });
  await shown.done;
  expect(shown.chunks).toContainEqual(expect.objectContaining({ delta: "declined declined" }));
  expect(calls).toBe(1);
});

test("when a process dies while it ends a stopped turn, another process ends the turn, and the agent does not continue", async () => {
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield* text((await turn.ask(CITY)).outcome);
  };
  const { network, home, shown, elicitationId, statusOf } = await setUp(runTurn);
  const isHeld = network.holdNext(APPEND);
  home.ada.fetch("/run/api/chat/c1/stop", { method: "POST" }).catch(() => {});
  await isHeld;
  await expect.poll(statusOf).toBe("withdrawn");
  network.cut();

  await shown.done;
  expect(shown.chunks.slice(1)).toMatchObject([
    { id: elicitationId, data: { message: CITY.message } },
    { id: elicitationId, data: { resolution: { outcome: "withdrawn" } } },
    { type: "abort" },
  ]);
});
