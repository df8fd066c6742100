import { inspect } from "node:util";
import { expect, test } from "vitest";
import { originalOf } from "../../../src/base/foreign-error.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { testRecord, testTurn } from "../../../test/stages/test-ports.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { migrate } from "./migrations.ts";
import { Row } from "./row.ts";

const { signal } = new AbortController();

/**
 * Makes PostgreSQL refuse every change of a table, as when its disk is full. Returns a function that allows changes
 * again.
 */
async function refuseWrites(
  query: (text: string) => Promise<unknown>,
  table: string,
  code: string,
): Promise<() => Promise<unknown>> {
  await query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused' using errcode = '${code}'; end $$`,
  );
  await query(
    `create trigger refuse before insert or update on elicit_kit.${table} execute function refuse()`,
  );
  return () => query("drop function refuse cascade");
}

test("while the disk of the database is full, an answer fails, its request stays open, and a later retry succeeds", async () => {
  const { url, query } = await createTestDatabase();
  const ports = await startPorts(url);
  const runtime = createTestRuntime(asking(CITY), { ports });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };

  const allow = await refuseWrites(query, "records", "53100");
  expect((await ada.answer("c1", answer)).status).toBe(503);
  expect(runtime.errors.splice(0).map(originalOf)).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/^elicit-kit: the disk of the database is full.*53100/),
    }),
  ]);
  await allow();
  expect(await (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json()).toMatchObject({
    status: "pending",
  });
  expect((await ada.answer("c1", answer)).status).toBe(200);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: expect.stringContaining("Rome") }));
});

test(
  "when the log of a turn cannot be written, the turn does not look complete, the operator gets the error, and the next turn works",
  { tags: ["long"] },
  async () => {
    const { url, query } = await createTestDatabase();
    const runtime = createTestRuntime(asking(CITY), { ports: await startPorts(url) });
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    const { elicitationId } = await stream.request();
    const allow = await refuseWrites(query, "log", "53100");
    await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Rome" } });
    await stream.done;
    expect(stream.chunks.at(-1)).not.toEqual({ type: "finish" });
    expect(runtime.errors.map(originalOf)).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("disk of the database is full") }),
    );
    await allow();
    const next = await ada.send("c1");
    const again = await next.request();
    await ada.answer("c1", { elicitationId: again.elicitationId, action: "decline" });
    await next.done;
    expect(next.chunks.at(-1)).toEqual({ type: "finish" });
  },
);

test("a chunk that is too large is refused, and the other chunks of its batch are stored", async () => {
  const { url } = await createTestDatabase();
  const { stream } = await startPorts(url);
  const turn = testTurn();
  await stream.open(turn, { replace: true });
  const lease = await stream.lease(turn.turnId);
  const large = { type: "file", url: "x".repeat(17 * 1024 * 1024) };
  const [before, refused, after] = await Promise.allSettled([
    stream.append(turn.turnId, { type: "before" }, lease),
    stream.append(turn.turnId, large, lease),
    stream.append(turn.turnId, { type: "after" }, lease),
  ]);
  expect([before?.status, after?.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(refused).toMatchObject({
    reason: {
      message: expect.stringMatching(/^elicit-kit: a chunk of type "file" has .*Send large files by URL/),
    },
  });
  const types: string[] = [];
  for await (const { chunk } of stream.read(turn.turnId, { live: false, signal })) types.push(chunk.type);
  expect(types).toEqual(["before", "after"]);
});

test("the error of a rejected query contains no values of the query, even for a logger that prints causes", async () => {
  const { url, query } = await createTestDatabase();
  const { records } = await startPorts(url);
  await query("alter table elicit_kit.records add constraint short check (length(record) < 10)");
  const record = testRecord({ user: { id: "hunter2" } });
  const error: unknown = await records.create(record).catch((rejected: unknown) => rejected);
  expect(error).toMatchObject({ message: "elicit-kit: PostgreSQL rejected a query. (23514)" });
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain("hunter2");
});

test("background errors reach the operator without their original message", async () => {
  const { url } = await createTestDatabase();
  const [first, second] = [await startPorts(url), await startPorts(url)];
  const { turnId } = testTurn();
  const failing = async () => {
    throw new Error("hunter2");
  };
  void first.claims.register("turn", () => new Promise(() => {}))(turnId, {});
  await expect.poll(() => first.claims.isHere(turnId)).toBe(true);
  await first.claims.release();
  second.claims.register("turn", failing);
  await second.claims.wake(turnId);
  await expect.poll(() => second.errors).not.toEqual([]);
  expect(inspect(second.errors, { depth: null })).not.toContain("hunter2");
  expect(originalOf(second.errors[0])).toEqual(new Error("hunter2"));
});

test("an older PostgreSQL is refused, and the error names the required version", async () => {
  const query = async () => [new Row({ version: 14 })];
  const database = {
    patiently: <T>(work: () => T) => work(),
    givesUpAfterMs: 0,
    schema: "elicit_kit",
    query,
    transaction: () => Promise.reject(new Error("not reached")),
  };
  await expect(migrate(database, { mayChange: true, onError() {} })).rejects.toThrow(
    "elicit-kit: this is PostgreSQL 14, and version 15 or newer is needed. Update the server.",
  );
});

test("a pool with custom type parsers is refused, and the error says what to do", () => {
  const row = new Row({ id: 7, seq: "x", sealed: "text" });
  expect(() => row.text("id")).toThrow(
    /^elicit-kit: the column "id" of PostgreSQL is not a text.*type parsers/,
  );
  expect(() => row.number("seq")).toThrow("is not a number");
  expect(() => row.flag("seq")).toThrow("is not a boolean");
  expect(() => row.bytes("sealed")).toThrow("is not binary data");
});
