import { expect, onTestFinished, test } from "vitest";
import { createPostgresPorts } from "../../extras/postgres/index.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../stages/test-runtime.ts";
import { startPostgres } from "../../tools/postgres.mjs";

test("answers count and turns continue when PostgreSQL crashes and restarts while users think", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const errors: unknown[] = [];
  const processes = [];
  for (let n = 0; n < 2; n += 1) {
    const ports = await createPostgresPorts({
      connectionString: server.url,
      sweepMs: 200,
      onError: (error) => errors.push(error),
    });
    onTestFinished(() => ports.close());
    const runtime = createTestRuntime(asking(CITY), { ports });
    processes.push({ runtime, ada: createChatClient(runtime.fetch, { user: "ada" }) });
  }
  const [first, second] = processes;
  const streams = await Promise.all(["c1", "c2", "c3", "c4"].map((id) => first!.ada.send(id)));
  const asked = await Promise.all(streams.map((stream) => stream.request()));

  const restarted = server.restart();
  // The first answer comes while the server is down, the others after that.
  const answerEarly = () =>
    second!.ada.answer("c1", { ...asked[0], action: "accept", content: { city: "Rome" } });
  const early = answerEarly();
  await restarted;
  // A restart that takes longer than a request may wait is a 503, after which the page sends the answer again.
  const { status, headers } = await early;
  if (status === 503) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await answerEarly()).status).toBe(200);
  } else expect(status).toBe(200);
  for (const index of [1, 2, 3]) {
    const { ada } = index === 2 ? first! : second!;
    const { elicitationId } = asked[index]!;
    const content = { city: "Rome" };
    expect((await ada.answer(`c${index + 1}`, { elicitationId, action: "accept", content })).status).toBe(
      200,
    );
  }
  await Promise.all(streams.map((stream) => stream.done));
  for (const stream of streams) {
    expect(stream.chunks.filter(({ type }) => type === "text-delta")).toMatchObject([
      { delta: '{"outcome":"accepted","content":{"city":"Rome"}}' },
    ]);
    expect(stream.chunks.at(-1)).toEqual({ type: "finish" });
  }
  expect(first!.runtime.errors).toEqual([]);
  // A request that is refused meanwhile is reported, once.
  expect(second!.runtime.errors).toHaveLength(status === 503 ? 1 : 0);
  // The operator is informed that the connections were lost.
  expect(errors.length).toBeGreaterThan(0);
});
