import { once } from "node:events";
import { expect, test } from "vitest";
import { readStream } from "../stages/chat-client.ts";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { type ServerProcess, answer, startServer } from "./server-process.ts";

async function startTwo(): Promise<readonly [ServerProcess, ServerProcess]> {
  const { url } = await createTestDatabase();
  return Promise.all([startServer(url), startServer(url)]);
}

test(
  "three parallel questions are answered in any order through another process, and the turn continues in its own process",
  { tags: ["long"] },
  async () => {
    const [first, second] = await startTwo();
    const stream = await first.ada.send("three-1");
    const asked = await Promise.all([0, 1, 2].map((index) => stream.request(index)));
    const reload = readStream(await second.ada.fetch("/run/api/chat/three-1/stream"));
    for (const index of [2, 0, 1]) {
      const { elicitationId, message } = asked[index]!;
      const response = await second.ada.answer("three-1", { elicitationId, ...answer(message) });
      expect(response.status).toBe(200);
    }
    await Promise.all([stream.done, reload.done]);
    expect(stream.chunks).toContainEqual(
      expect.objectContaining({ delta: "Name one?, Name two?, Name three?", by: first.child.pid }),
    );
    expect(reload.chunks).toEqual(stream.chunks);
    expect([...first.log, ...second.log]).toEqual([]);
  },
);

test("the same answer counts once when both processes get it at the same time", async () => {
  const [first, second] = await startTwo();
  const stream = await first.ada.send("c1");
  const { elicitationId } = await stream.request();
  const replies = await Promise.all(
    [first, second, first, second].map(async ({ ada }) => {
      const response = await ada.answer("c1", { elicitationId, ...answer("Ada") });
      return [response.status, (await response.json()).alreadyProcessed === true];
    }),
  );
  expect(replies.filter(([status]) => status === 200)).toHaveLength(4);
  expect(replies.filter(([, isRepeated]) => isRepeated)).toHaveLength(3);
  const other = await second.ada.answer("c1", { elicitationId, ...answer("Eve") });
  expect(other.status).toBe(409);
  await stream.done;
  expect(stream.chunks.filter(({ type }) => type === "text-delta")).toMatchObject([{ delta: "Ada" }]);
});

test("when a process is killed while it waits for the user, another one ends its turn, and readers see the reason and can continue", async () => {
  const [first, second] = await startTwo();
  const lost = await first.ada.send("c1");
  lost.done.catch(() => {});
  const { elicitationId } = await lost.request();
  const reload = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  await reload.request();
  await first.kill();
  await reload.done;
  expect(reload.chunks.slice(-2)).toMatchObject([
    { data: { elicitationId, resolution: { outcome: "withdrawn" } } },
    { type: "error", errorText: expect.stringContaining("stopped unexpectedly") },
  ]);
  expect((await second.ada.answer("c1", { elicitationId, ...answer("Ada") })).status).toBe(409);
  expect((await second.ada.fetch("/run/api/chat/c1/stream")).status).toBe(204);
  const next = await second.ada.send("c1");
  const again = await next.request();
  expect(
    (await second.ada.answer("c1", { elicitationId: again.elicitationId, ...answer("Ada") })).status,
  ).toBe(200);
  await next.done;
  expect(next.chunks).toContainEqual(expect.objectContaining({ delta: "Ada", by: second.child.pid }));
  expect(second.log).toEqual([]);
});

test(
  "after a process was killed, a new message does not wait until that is detected",
  { tags: ["long"] },
  async () => {
    const { url } = await createTestDatabase();
    const first = await startServer(url);
    const lost = await first.ada.send("c1");
    lost.done.catch(() => {});
    const { elicitationId } = await lost.request();
    await first.kill();
    const second = await startServer(url);
    const next = await second.ada.send("c1");
    const again = await next.request();
    expect(again.elicitationId).not.toBe(elicitationId);
    await second.ada.answer("c1", { elicitationId: again.elicitationId, ...answer("Ada") });
    await next.done;
    const status = await second.ada.fetch(`/run/api/elicitations/${elicitationId}`);
    expect(await status.json()).toMatchObject({ status: "withdrawn" });
  },
);

test("a process that shuts down withdraws its turns' requests, and the other processes continue", async () => {
  const [first, second] = await startTwo();
  const stream = await first.ada.send("c1");
  stream.done.catch(() => {});
  await stream.request();
  const other = await second.ada.send("c2");
  const { elicitationId } = await other.request();
  first.child.kill("SIGTERM");
  await once(first.child, "exit");
  await stream.done;
  expect(stream.chunks.at(-1)).toMatchObject({ type: "error" });
  await second.ada.answer("c2", { elicitationId, ...answer("Ada") });
  await other.done;
  expect(other.chunks.at(-1)).toEqual({ type: "finish" });
  expect([...first.log, ...second.log]).toEqual([]);
});
