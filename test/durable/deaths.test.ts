/** These tests check which turns are blamed for the death of their process. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readStream } from "../stages/chat-client.ts";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { answer, startServer } from "./server-process.ts";

const program = fileURLToPath(new URL("durable-server.ts", import.meta.url));

async function setUp() {
  const { url, query } = await createTestDatabase();
  await query("create table effects (what text not null, process integer not null)");
  const timesOf = async (what: string) =>
    (await query("select from effects where what like $1", [what])).rows.length;
  return { start: () => startServer(url, { program }), query, timesOf };
}

/** Processes start one after another, on a machine that may be busy. */
const timeout = 300_000;

test(
  "a turn that only waits survives the death of every process that runs it, and gets its answer",
  { timeout, tags: ["long"] },
  async () => {
    const { start, query, timesOf } = await setUp();
    let server = await start();
    const before = await server.ada.send("two-1");
    before.done.catch(() => {});
    const city = await before.request();
    for (let run = 2; run <= 4; run += 1) {
      const next = await start();
      await server.kill();
      server = next;
      const turn = async () => (await query("select run, deaths from elicit_kit.runs")).rows;
      await expect.poll(turn, { timeout }).toEqual([{ run, deaths: 0 }]);
    }
    const shown = readStream(await server.ada.fetch("/run/api/chat/two-1/stream"));
    expect((await server.ada.answer("two-1", { ...city, ...answer("Rome") })).status).toBe(200);
    const hotel = await shown.request(0, ({ message }) => message === "Which hotel?");
    await server.ada.answer("two-1", { ...hotel, ...answer("Ritz") });
    await shown.done;
    expect(shown.chunks.at(-1)).toMatchObject({ type: "finish" });
    expect(await timesOf("two-1 booked Rome")).toBe(1);
  },
);

test(
  "a turn that kills every process that runs it is ended, and thirty other turns finish",
  { timeout, tags: ["long"] },
  async () => {
    const { start, query, timesOf } = await setUp();
    const servers = await Promise.all([start(), start(), start(), start()]);
    for (let number = 1; number <= 30; number += 1) {
      const stream = await servers[0].ada.send(`slow-${number}`);
      stream.done.catch(() => {});
    }
    const deadly = await servers[0].ada.send("deadly-1");
    deadly.done.catch(() => {});

    const ends = async () =>
      query(
        "select (chunk::json)->>'type' as type, count(*)::integer as turns from elicit_kit.log l where seq = (select max(seq) from elicit_kit.log where turn_id = l.turn_id) group by 1 order by 1",
      );
    await expect
      .poll(async () => (await ends()).rows, { timeout })
      .toEqual([
        { type: "error", turns: 1 },
        { type: "finish", turns: 30 },
      ]);
    expect(await timesOf("deadly-1 died")).toBe(3);
  },
);
