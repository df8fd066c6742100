import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readStream } from "../stages/chat-client.ts";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { STEPS } from "../stages/durable-ports.ts";
import { answer, startServer } from "./server-process.ts";

const program = fileURLToPath(new URL("durable-server.ts", import.meta.url));

async function setUp() {
  const { url, query } = await createTestDatabase();
  await query("create table effects (what text not null, process integer not null)");
  /** How often each effect has happened, in all processes. */
  async function effects(): Promise<Record<string, number>> {
    const { rows } = await query("select what, count(*)::integer as times from effects group by what");
    return Object.fromEntries(rows.map(({ what, times }) => [what, times]));
  }
  return { start: (through = url) => startServer(through, { program }), effects, query, url };
}

const types = (chunks: readonly Readonly<Record<string, unknown>>[]) => chunks.map(({ type }) => type);

test("when a process is killed while the user thinks, the process that gets the answer continues the turn", async () => {
  const { start, effects } = await setUp();
  const [first, second] = await Promise.all([start(), start()]);
  const before = await first.ada.send("two-1");
  before.done.catch(() => {});
  const city = await before.request();
  await first.ada.answer("two-1", { ...city, ...answer("Rome") });
  const hotel = await before.request(0, ({ message }) => message === "Which hotel?");
  await first.kill();
  const seen = [...before.chunks];

  const after = readStream(await second.ada.fetch("/run/api/chat/two-1/stream"));
  expect((await second.ada.answer("two-1", { ...hotel, ...answer("Ritz") })).status).toBe(200);
  await after.done;
  expect(after.chunks.slice(0, seen.length)).toEqual(seen);
  expect(after.chunks).toContainEqual(expect.objectContaining({ output: "booked Ritz" }));
  for (const type of ["start", "finish", "text-delta"]) {
    expect(types(after.chunks).filter((other) => other === type)).toEqual([type]);
  }
  expect(types(after.chunks).filter((type) => type === "tool-output-available")).toHaveLength(2);
  await expect.poll(effects).toEqual({
    "two-1 asked the model": 3,
    "two-1 booked Rome": 1,
    "two-1 booked Ritz": 1,
    "two-1 kept": 1,
  });
  expect(second.log.join("")).not.toContain("Error");
});

test(
  "when a process is killed after it accepted a message and before it runs it, another process runs the message",
  { tags: ["long"] },
  async () => {
    const { start, effects, query, url } = await setUp();
    const proxy = await createSqlProxy(url);
    const [first, second] = await Promise.all([start(proxy.url), start()]);
    const begins = proxy.holdNext(/insert into "elicit_kit"\.runs.*do update\s+set name/s);
    const accepted = await first.ada.send("plain-1");
    accepted.done.catch(() => {});
    await begins;
    await first.kill();

    await expect.poll(effects).toEqual({ "plain-1 asked the model": 1, "plain-1 kept": 1 });
    // The turn has ended.
    await expect.poll(async () => (await query("select from elicit_kit.runs")).rows).toEqual([]);
    const shown = readStream(await second.ada.fetch("/run/api/chat/plain-1/stream"));
    await shown.done;
    expect(shown.chunks).toEqual([]);
    expect(second.log.join("")).not.toContain("Error");
  },
);

test(
  "three parallel questions can be answered in any order through another process after the first was killed",
  { tags: ["long"] },
  async () => {
    const { start, effects, query } = await setUp();
    const [first, second] = await Promise.all([start(), start()]);
    const before = await first.ada.send("three-1");
    before.done.catch(() => {});
    const asked = await Promise.all([0, 1, 2].map((index) => before.request(index)));
    await second.ada.answer("three-1", { ...asked[2], ...answer("c") });
    await expect.poll(effects).toMatchObject({ "three-1 booked c": 1 });
    // A death between an effect and its record would repeat the effect.
    const recorded = `select from ${STEPS.table} where ${STEPS.name} like '%"step"%"name":"book"%'`;
    await expect.poll(async () => (await query(recorded)).rows).toHaveLength(1);
    await first.kill();

    const after = readStream(await second.ada.fetch("/run/api/chat/three-1/stream"));
    for (const [index, text] of [
      [0, "a"],
      [1, "b"],
    ] as const) {
      expect((await second.ada.answer("three-1", { ...asked[index], ...answer(text) })).status).toBe(200);
    }
    await after.done;
    expect(types(after.chunks).at(-1)).toBe("finish");
    await expect.poll(effects).toEqual({
      "three-1 asked the model": 2,
      "three-1 booked a": 1,
      "three-1 booked b": 1,
      "three-1 booked c": 1,
      "three-1 kept": 1,
    });
  },
);

test("when a process is killed while a tool runs, another one finishes its work, and each recorded step runs once", async () => {
  const { start, effects } = await setUp();
  const [first, second] = await Promise.all([start(), start()]);
  const before = await first.ada.send("busy-1");
  before.done.catch(() => {});
  await expect.poll(effects).toMatchObject({ "busy-1 worked": 1 });
  const after = readStream(await second.ada.fetch("/run/api/chat/busy-1/stream"));
  await first.kill();
  await after.done;
  expect(after.chunks).toContainEqual(expect.objectContaining({ output: "finished" }));
  await expect.poll(effects).toEqual({
    "busy-1 asked the model": 2,
    "busy-1 prepared": 1,
    "busy-1 worked": 2,
    "busy-1 finished": 1,
    "busy-1 kept": 1,
  });
});

test(
  "when a process is killed after a remembered answer was used, the turn runs again and gets the same answer, shown once",
  { tags: ["long"] },
  async () => {
    const { start, effects } = await setUp();
    const [first, second] = await Promise.all([start(), start()]);
    const asked = await first.ada.send("recall-1");
    const ticked = { ...(await asked.request()), ...answer("Rome"), remember: true };
    expect((await first.ada.answer("recall-1", ticked)).status).toBe(200);
    await asked.done;

    const before = await first.ada.send("recall-2");
    before.done.catch(() => {});
    const requests = (chunks: typeof before.chunks) =>
      chunks.filter(({ type }) => type === "data-elicitation-request");
    await expect.poll(effects).toMatchObject({ "recall-2 got Rome": 1 });
    await expect.poll(() => requests(before.chunks)).toHaveLength(1);
    await first.kill();
    // After `forget`, new turns ask the user again, but this turn keeps the answer that it got.
    const [used] = requests(before.chunks);
    const { remembered } = Object(used?.["data"]).resolution;
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    expect((await second.fetch(`/run/api/remembered/${remembered}/forget`, init)).status).toBe(200);

    await expect.poll(effects).toMatchObject({ "recall-2 booked Rome": 1, "recall-2 kept": 1 });
    expect((await effects())["recall-2 got Rome"]).toBe(2);
    expect(requests(before.chunks)).toEqual([
      expect.objectContaining({
        data: expect.objectContaining({ resolution: expect.objectContaining({ remembered }) }),
      }),
    ]);
    const anew = await second.ada.send("recall-3");
    expect(await anew.request()).not.toHaveProperty("resolution");
    expect(second.log.join("")).not.toContain("Error");
  },
);

test("when a process is redeployed, the other processes take over its turns, and no question is repeated", async () => {
  const { start, effects, query } = await setUp();
  const [first, second] = await Promise.all([start(), start()]);
  const before = await first.ada.send("two-1");
  before.done.catch(() => {});
  const city = await before.request();
  first.child.kill("SIGTERM");
  await once(first.child, "exit");
  const after = readStream(await second.ada.fetch("/run/api/chat/two-1/stream"));
  expect(await after.request()).toEqual(city);
  await second.ada.answer("two-1", { ...city, ...answer("Rome") });
  const hotel = await after.request(0, ({ message }) => message === "Which hotel?");
  await second.ada.answer("two-1", { ...hotel, ...answer("Ritz") });
  await after.done;
  expect(types(after.chunks).at(-1)).toBe("finish");
  await expect.poll(effects).toEqual({
    "two-1 asked the model": 3,
    "two-1 booked Rome": 1,
    "two-1 booked Ritz": 1,
    "two-1 kept": 1,
  });
  expect(first.log.join("")).not.toContain("Error");
  await expect.poll(async () => (await query(`select * from ${STEPS.table}`)).rows).toEqual([]);
});

test(
  "when a process is killed in the middle of a text, the text is discarded, and another one replaces it",
  { tags: ["long"] },
  async () => {
    const { start } = await setUp();
    const [first, second] = await Promise.all([start(), start()]);
    const before = await first.ada.send("cut-1");
    before.done.catch(() => {});
    await expect.poll(() => types(before.chunks)).toContain("text-delta");
    await first.kill();

    const asked = async () => (await second.ada.fetch("/run/api/elicitations?conversationId=cut-1")).json();
    await expect.poll(async () => (await asked()).elicitations).toHaveLength(1);
    const after = readStream(await second.ada.fetch("/run/api/chat/cut-1/stream"));
    const title = await after.request();
    await second.ada.answer("cut-1", { ...title, ...answer("Emma") });
    await after.done;
    const texts = after.chunks.flatMap((chunk) => (chunk["type"] === "text-delta" ? [chunk["delta"]] : []));
    expect(texts).toEqual(["The end."]);
    for (const type of ["start", "text-start", "text-end", "tool-output-available", "finish"]) {
      expect(types(after.chunks).filter((other) => other === type)).toEqual([type]);
    }
    expect(types(after.chunks).filter((type) => type === "start-step")).toHaveLength(2);
  },
);

test(
  "a turn that has killed three processes ends with an error, and the fourth process survives",
  { tags: ["long"] },
  async () => {
    const { start, effects, query } = await setUp();
    const servers = await Promise.all([start(), start(), start(), start()]);
    const stream = await servers[0].ada.send("deadly-1");
    stream.done.catch(() => {});
    const lastChunk = async () =>
      JSON.stringify((await query("select chunk from elicit_kit.log order by seq desc limit 1")).rows);
    await expect.poll(lastChunk).toContain("The server that ran this stopped unexpectedly.");
    await expect.poll(async () => (await query("select from elicit_kit.runs")).rows).toEqual([]);
    expect(await effects()).toMatchObject({ "deadly-1 died": 3, "deadly-1 kept": 1 });
    expect(servers.filter(({ child }) => child.signalCode === null)).toHaveLength(1);
  },
);
