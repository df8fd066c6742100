/** These tests show the user's view when another version of the application is deployed while a turn waits for them. */
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import { type ReadStream, readStream } from "../stages/chat-client.ts";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const program = fileURLToPath(new URL("deploy-server.ts", import.meta.url));
const YES = { action: "accept", content: { answer: true } };

async function setUp() {
  const { url, query } = await createTestDatabase();
  await query("create table effects (what text not null, process integer not null)");
  return {
    start: (version: string) => startServer(url, { program, args: [version] }),
    effects: async () => (await query("select what from effects order by what")).rows.map(({ what }) => what),
    parked: async () => (await query("select from elicit_kit.runs where process = 2")).rows.length,
    left: async () => (await query("select from elicit_kit.runs")).rows.length,
  };
}

/** Sends a message, and waits until its two calls have asked. */
async function ask({ ada }: ServerProcess) {
  const stream = await ada.send("c1");
  stream.done.catch(() => {});
  const [a, b] = await Promise.all(["A", "B"].map((report) => card(stream, `Archive report ${report}?`)));
  return { stream, a, b };
}

const card = (stream: ReadStream, message: string) =>
  stream.request(0, (request) => request.message === message);

const answer = async ({ ada }: ServerProcess, request: ElicitationRequest | undefined) =>
  (await ada.answer("c1", { ...request, ...YES })).status;

async function shutDown({ child }: ServerProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

const UPDATED = { type: "error", errorText: expect.stringContaining("was updated while") };

for (const { version, tags = [] } of [
  { version: "without the tool" },
  { version: "with the tool renamed", tags: ["long"] },
  { version: "with another input", tags: ["long"] },
  { version: "with a default in the input", tags: ["long"] },
  { version: "with other fields", tags: ["long"] },
  { version: "with another question before", tags: ["long"] },
]) {
  test(
    `a new version of the app ${version} ends the turn: the chat shows the reason, the open card is withdrawn, and no answer is used`,
    { tags },
    async () => {
      const { start, effects, parked, left } = await setUp();
      const first = await start("first");
      const { a, b } = await ask(first);
      await expect.poll(parked).toBe(1);
      await shutDown(first);

      const second = await start(version);
      const shown = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
      expect(await answer(second, a)).toBe(200);
      await shown.done;
      expect(shown.chunks.at(-1)).toMatchObject(UPDATED);
      expect(shown.chunks.findLast(({ id }) => id === b?.elicitationId)).toMatchObject({
        data: { resolution: { outcome: "withdrawn" } },
      });
      expect(await answer(second, b)).toBe(409);
      await expect.poll(left).toBe(0);
      expect(await effects()).toEqual(["asked the model"]);
    },
  );
}

test("a new version of the app with a change elsewhere continues the turn, with each answer used once", async () => {
  const { start, effects, parked } = await setUp();
  const first = await start("first");
  const { a, b } = await ask(first);
  await expect.poll(parked).toBe(1);
  await shutDown(first);

  const second = await start("with a change elsewhere");
  const shown = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  expect(await answer(second, a)).toBe(200);
  const keepA = await card(shown, "Keep report A for ten years?");
  expect(await answer(second, b)).toBe(200);
  const keepB = await card(shown, "Keep report B for ten years?");
  expect([await answer(second, keepB), await answer(second, keepA)]).toEqual([200, 200]);
  await shown.done;
  expect(shown.chunks.at(-1)).toMatchObject({ type: "finish" });
  expect(await effects()).toEqual([
    'archived {"report":"A"} by with a change elsewhere',
    'archived {"report":"B"} by with a change elsewhere',
    "asked the model",
    "asked the model",
  ]);
  expect(second.log.join("")).not.toContain("Error");
});

for (const { begun, other, tags = [] } of [
  { begun: "with another question before", other: "first", tags: ["long"] },
  { begun: "first", other: "with another question before" },
]) {
  test(
    `while two versions of the app run, a turn of the version ${begun} that is answered through the version ${other} continues in its own version`,
    { tags },
    async () => {
      const { start, effects, parked } = await setUp();
      const [own, through] = await Promise.all([start(begun), start(other)]);
      const stream = await own.ada.send("c1");
      stream.done.catch(() => {});
      const asked: string[] = [];
      while (asked.length < (begun === "first" ? 2 : 4)) {
        const next = await stream.request(0, ({ elicitationId }) => !asked.includes(elicitationId));
        asked.push(next.elicitationId);
        await expect.poll(parked).toBe(1);
        expect(await answer(through, next)).toBe(200);
      }
      await stream.done;
      expect(stream.chunks.at(-1)).toMatchObject({ type: "finish" });
      expect(await effects()).toHaveLength(begun === "first" ? 4 : 6);
      expect([...own.log, ...through.log].join("")).not.toContain("Error");
    },
  );
}
