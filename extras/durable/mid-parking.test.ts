import { expect, test } from "vitest";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import type { RunTurn } from "../../src/runtime/index.ts";
import { createDeferred } from "../../src/base/deadlines.ts";
import { createDurableProcesses } from "../../test/stages/durable-processes.ts";
import { createSqlProxy } from "../../test/stages/sql-proxy.ts";
import { CITY, text } from "../../test/stages/test-runtime.ts";

const asksFor = (message: string) => (request: ElicitationRequest) => request.message === message;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a question that begins while the turn is being parked is asked at once, in the next run", async () => {
  const { startProcess, parked } = await createDurableProcesses({ withDbos: true });
  const isParking = createDeferred<void>();
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const first = turn.ask({ ...CITY, message: "one" });
    const second = isParking.promise.then(() => turn.ask({ ...CITY, message: "two" }));
    const results = await Promise.all([first, second]);
    yield* text(results.map(({ outcome }) => outcome).join());
  };
  const { ada, runtime, errors } = await startProcess(runTurn, {
    parkAfterMs: 20,
    withPorts: (ports) => ({
      ...ports,
      claims: {
        ...ports.claims,
        async park(turn, waits) {
          isParking.resolve();
          await sleep(50);
          await ports.claims.park(turn, waits);
        },
      },
    }),
  });
  const stream = await ada.send("c1");
  const one = await stream.request(0, asksFor("one"));
  // The turn is woken, because nobody has answered yet.
  const two = await stream.request(0, asksFor("two"));
  await expect.poll(parked).toBe(1);
  // A request without a card cannot be answered.
  expect(await runtime.elicitations.listOpen("c1", "ada")).toHaveLength(2);
  for (const asked of [one, two]) await ada.answer("c1", { ...asked, action: "decline" });
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "declined,declined" }));
  expect(errors()).toEqual([]);
});

test("a step that begins while the turn is being parked runs once, in the next run", async () => {
  const { startProcess, parked } = await createDurableProcesses({ withDbos: true });
  const isParking = createDeferred<void>();
  const done: string[] = [];
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const asked = turn.ask(CITY);
    const booked = isParking.promise.then(() =>
      turn.runner.step("book", async () => {
        done.push("booked");
        // Waits longer than the turn needs to run again.
        await sleep(500);
      }),
    );
    const [{ outcome }] = await Promise.all([asked, booked]);
    yield* text(outcome);
  };
  const { ada, errors } = await startProcess(runTurn, {
    parkAfterMs: 20,
    withPorts: (ports) => ({
      ...ports,
      claims: {
        ...ports.claims,
        async park(turn, waits) {
          isParking.resolve();
          await sleep(50);
          await ports.claims.park(turn, waits);
        },
      },
    }),
  });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await expect.poll(parked).toBe(1);
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "declined" }));
  expect(done).toEqual(["booked"]);
  expect(errors()).toEqual([]);
});

/** The sweep interval is so long that no sweep wakes a turn. */
const NO_SWEEP = { sweepMs: 3_600_000 };

test.each([
  ["has decided to park its turn", "before"],
  ["has parked its turn and does not know it", "after"],
] as const)(
  "an answer or an expiry that reaches a process that %s immediately continues the turn",
  async (_, when) => {
    const { startProcess, left, url } = await createDurableProcesses({ withDbos: true });
    const network = await createSqlProxy(url);
    let onPark = createDeferred<() => Promise<void>>();
    const runTurn: RunTurn = async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      const isToExpire = turn.conversationId === "expired";
      yield* text((await turn.ask({ ...CITY, ...(isToExpire && { expiresInMs: 3000 }) })).outcome);
    };
    const home = await startProcess(runTurn, {
      ...NO_SWEEP,
      parkAfterMs: 50,
      connectionString: network.url,
      withPorts: (ports) => ({
        ...ports,
        claims: {
          ...ports.claims,
          async park(turn, waits) {
            const parkNow = () => ports.claims.park(turn, waits);
            if (when === "before") {
              await (
                await onPark.promise
              )();
              await parkNow();
              return;
            }
            const hasRun = network.holdReplyTo(/set process = 2/);
            const parked = parkNow();
            const pass = await hasRun;
            await (
              await onPark.promise
            )();
            pass();
            await parked;
          },
        },
      }),
    });
    const other = await startProcess(runTurn, NO_SWEEP);
    for (const [id, process] of [
      ["declined", home],
      ["declined elsewhere", other],
      ["expired", home],
    ] as const) {
      onPark = createDeferred();
      const stream = await home.ada.send(id);
      const { elicitationId } = await stream.request();
      onPark.resolve(async () => {
        if (id !== "expired") await process.ada.answer(id, { elicitationId, action: "decline" });
        const statusOf = async () => (await home.runtime.elicitations.get(elicitationId))?.status;
        await expect.poll(statusOf).toBe(id.split(" ")[0]);
      });
      await stream.done;
      expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: id.split(" ")[0] }));
      const ends = stream.chunks.filter(({ data }) => JSON.stringify(data)?.includes("resolution"));
      expect(ends).toMatchObject([{ id: elicitationId }]);
      expect(stream.chunks.at(-1)).toEqual({ type: "finish" });
    }
    await expect.poll(left).toBe(0);
    expect([...home.errors(), ...other.errors()]).toEqual([]);
  },
);

test("a turn that is stopped while it is being parked ends", async () => {
  const { startProcess, left, url } = await createDurableProcesses({ withDbos: true });
  const network = await createSqlProxy(url);
  const isParked = createDeferred<Promise<() => void>>();
  let pass = () => {};
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield* text((await turn.ask(CITY)).outcome);
  };
  const home = await startProcess(runTurn, {
    ...NO_SWEEP,
    parkAfterMs: 20,
    connectionString: network.url,
    withPorts: (ports) => ({
      ...ports,
      claims: {
        ...ports.claims,
        async park(turn, waits) {
          isParked.resolve(network.holdReplyTo(/set process = 2/));
          await ports.claims.park(turn, waits);
        },
        async stop(turnId, reason) {
          const stopped = ports.claims.stop(turnId, reason);
          pass();
          pass = () => {};
          return stopped;
        },
      },
    }),
  });
  const stream = await home.ada.send("c1");
  const { elicitationId } = await stream.request();
  pass = await isParked.promise;
  expect((await home.ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  expect((await home.runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
  await expect.poll(left).toBe(0);
  expect(home.kept).toHaveLength(1);
  expect(home.errors()).toEqual([]);
});
