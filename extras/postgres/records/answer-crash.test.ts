import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

const ANSWERS = [
  [
    "an answer",
    { action: "accept", content: { city: "Rome" } },
    '{"outcome":"accepted","content":{"city":"Rome"}}',
  ],
  ["a no", { action: "decline" }, '{"outcome":"declined"}'],
] as const;

test.each(ANSWERS)(
  "%s reaches its turn when the process that stored it dies at once",
  async (_, answer, told) => {
    const { url } = await createTestDatabase();
    const here = createTestRuntime(asking(CITY), { ports: await startPorts(url) });
    const ports = await startPorts(url);
    const dying = createTestRuntime(asking(CITY), {
      // Simulates a power cut after the record was written: later code never runs.
      ports: { ...ports, waiter: { ...ports.waiter, settle: () => new Promise<never>(() => {}) } },
    });
    const stream = await createChatClient(here.fetch, { user: "ada" }).send("c1");
    const { elicitationId } = await stream.request();
    void createChatClient(dying.fetch, { user: "ada" }).answer("c1", { elicitationId, ...answer });
    await stream.done;
    expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: told }));
  },
);
