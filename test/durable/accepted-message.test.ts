import { expect, onTestFinished, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import type { TurnRunner } from "../../src/runtime/ports/index.ts";
import { createDeferred } from "../../src/base/deadlines.ts";
import { readStream } from "../stages/chat-client.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { CITY, text } from "../stages/test-runtime.ts";

/** The statement with which a process ends the previous turn. */
const STOP = /update "elicit_kit"\.runs.*set stop_reason/s;

const asking: RunTurn = async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  yield* text((await turn.ask(CITY)).outcome);
};

test("when a process dies after it accepted a message that replaces a turn, another process ends that turn and runs the message", async () => {
  const processes = await createDurableProcesses();
  const network = await createSqlProxy(processes.url);
  const connectionString = network.url;
  const home = await processes.startProcess(asking, { connectionString, retryForMs: 300 });
  onTestFinished(() => network.open());
  const other = await processes.startProcess(asking);
  const before = await other.ada.send("c1");
  const { elicitationId } = await before.request();
  const isHeld = network.holdNext(STOP);
  const accepted = await home.ada.send("c1");
  accepted.done.catch(() => {});
  await isHeld;
  network.cut();

  await before.done;
  expect(before.chunks.at(-1)).toEqual({ type: "abort" });
  expect((await other.runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  const after = readStream(await other.ada.fetch("/run/api/chat/c1/stream"));
  const { elicitationId: newer } = await after.request();
  expect(newer).not.toBe(elicitationId);
  await other.ada.answer("c1", { elicitationId: newer, action: "decline" });
  await after.done;
  expect(after.chunks).toContainEqual(expect.objectContaining({ delta: "declined" }));
  await expect.poll(processes.left).toBe(0);
  expect(other.errors()).toEqual([]);
});

test("a process that shuts down before it runs an accepted message leaves the message to another one", async () => {
  const processes = await createDurableProcesses();
  const { promise: stops, resolve: onStop } = createDeferred<void>();
  const { promise: mayStop, resolve: letStop } = createDeferred<void>();
  const home = await processes.startProcess(asking, {
    withPorts(ports) {
      const stop: TurnRunner["stop"] = async (...args) => {
        onStop();
        await mayStop;
        return ports.claims.stop(...args);
      };
      return { ...ports, claims: { ...ports.claims, stop }, runner: { ...ports.runner, stop } };
    },
  });
  onTestFinished(() => letStop());
  const other = await processes.startProcess(asking);
  const before = await other.ada.send("c1");
  const { elicitationId } = await before.request();
  const accepted = await home.ada.send("c1");
  await stops;
  const closed = home.runtime.close();

  const after = await accepted.request();
  expect(after.elicitationId).not.toBe(elicitationId);
  letStop();
  await closed;
  await other.ada.answer("c1", { ...after, action: "decline" });
  await expect.poll(() => other.kept).toHaveLength(2);
  expect([...home.errors(), ...other.errors()]).toEqual([]);
});
