import { expect, onTestFinished, test } from "vitest";
import { startReplicatedPostgres } from "../../tools/replicated-postgres.mjs";
import type { RunTurn } from "../../src/runtime/index.ts";
import { authenticateTestUser, createChatClient, readStream } from "../stages/chat-client.ts";
import { startPorts } from "../stages/postgres-database.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { CITY, createTestRuntime, text } from "../stages/test-runtime.ts";

const HOTEL = { ...CITY, message: "And the hotel?" };

test(
  "when the database fails over to its synchronous replica, an answer that was taken just before is used, and turns continue",
  { tags: ["long"], timeout: 120_000 },
  async () => {
    const postgres = await startReplicatedPostgres();
    onTestFinished(() => postgres.stop());
    const network = await createSqlProxy(postgres.url);
    const used: string[] = [];
    const runTurn: RunTurn = async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      for (const question of [CITY, HOTEL]) {
        const result = await turn.ask(question);
        used.push(`${turn.conversationId} ${question.message} ${result.outcome}`);
      }
      yield* text("Booked.");
    };
    async function start() {
      const ports = await startPorts(network.url, { durable: true, retryForMs: undefined });
      const runtime = createTestRuntime(runTurn, { ports, authenticate: authenticateTestUser });
      return { runtime, ada: createChatClient(runtime.fetch, { user: "ada" }) };
    }
    const first = await start();
    const second = await start();
    const conversations = await Promise.all(
      ["c1", "c2"].map(async (id) => {
        const stream = await first.ada.send(id);
        stream.done.catch(() => {});
        const city = await stream.request();
        return { id, city };
      }),
    );
    async function answer(id: string, elicitationId: string | undefined) {
      const reply = { elicitationId, action: "accept", content: { city: "Rome" } };
      return (await second.ada.answer(id, reply)).status;
    }
    expect(await answer("c1", conversations[0]?.city.elicitationId)).toBe(200);
    await postgres.failOver();
    network.leadTo(postgres.replicaUrl);
    await expect
      .poll(() => answer("c2", conversations[1]?.city.elicitationId), { timeout: 60_000 })
      .toBe(200);

    for (const { id } of conversations) {
      const shown = readStream(await second.ada.fetch(`/run/api/chat/${id}/stream`));
      const hotel = await shown.request(0, ({ message }) => message === HOTEL.message);
      expect(await answer(id, hotel.elicitationId)).toBe(200);
      await shown.done;
      expect(shown.chunks.at(-1)).toEqual({ type: "finish" });
      const requests = shown.chunks.filter(({ type }) => type === "data-elicitation-request");
      expect(new Set(requests.map((request) => request["id"])).size).toBe(2);
    }
    expect(used.filter((outcome) => !outcome.endsWith("accepted"))).toEqual([]);
    await Promise.all([first.runtime.close(), second.runtime.close()]);
  },
);
