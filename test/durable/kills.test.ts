/**
 * These tests show the user's view when a process is killed at each moment of a turn. Its turns are then ended, not run
 * again.
 */
import { expect, test } from "vitest";
import { type ReadStream, readStream } from "../stages/chat-client.ts";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { answer, startServer } from "./server-process.ts";

/** Two processes. The effects of their tools are rows of a table. */
async function setUp() {
  const { url, query } = await createTestDatabase();
  await query("create table effects (turn_id text, name text, process integer)");
  await query("create table holds (name text)");
  const proxy = await createSqlProxy(url);
  const [first, second] = await Promise.all([startServer(url), startServer(proxy.url)]);

  /** Starts a turn in the first process. The second one shows it, too. Resolves when it has asked. */
  async function ask(conversation: string) {
    const stream = await first.ada.send(conversation);
    stream.done.catch(() => {});
    const { elicitationId } = await stream.request();
    const shown = readStream(await second.ada.fetch(`/run/api/chat/${conversation}/stream`));
    await shown.request();
    return { stream, shown, elicitationId };
  }
  const effects = async () => (await query("select name from effects")).rows.map(({ name }) => name);
  return { query, proxy, first, second, ask, effects };
}

const STOPPED = { type: "error", errorText: expect.stringContaining("stopped unexpectedly") };

/** The text that was shown. */
const textOf = (stream: ReadStream) => stream.chunks.map(({ delta = "" }) => delta).join("");

test("when a process is killed while a tool runs, the chat shows that, and the effect of the tool is not repeated", async () => {
  const { query, first, second, ask, effects } = await setUp();
  await query("insert into holds values ('Ada')");
  const { shown, elicitationId } = await ask("book-1");
  await second.ada.answer("book-1", { elicitationId, ...answer("Ada") });
  await expect.poll(effects).toEqual(["Ada"]);
  await first.kill();
  await shown.done;
  expect(shown.chunks.at(-1)).toMatchObject(STOPPED);
  expect(textOf(shown)).not.toContain("booked");
  expect(await effects()).toEqual(["Ada"]);
  const status = await second.ada.fetch(`/run/api/elicitations/${elicitationId}`);
  expect(await status.json()).toMatchObject({ status: "accepted" });
});

test(
  "when a process is killed in the middle of a text, the text stays in the chat, followed by the reason",
  { tags: ["long"] },
  async () => {
    const { first, second, ask } = await setUp();
    const { shown, elicitationId } = await ask("talk-1");
    await second.ada.answer("talk-1", { elicitationId, ...answer("Ada") });
    await expect.poll(() => textOf(shown)).toContain("word5 ");
    await first.kill();
    await shown.done;
    expect(textOf(shown)).toMatch(/^Ada(?:word\d+ )+$/);
    expect(textOf(shown)).not.toContain("word39 ");
    expect(shown.chunks.at(-1)).toMatchObject(STOPPED);
  },
);

test("when a process is killed after an answer and before its turn continues, the answer stays accepted, and the user can continue", async () => {
  const { first, second, ask, effects } = await setUp();
  const { shown, elicitationId } = await ask("book-2");
  // The killed process cannot get the answer.
  first.child.kill("SIGSTOP");
  const taken = await second.ada.answer("book-2", { elicitationId, ...answer("Ada") });
  expect(taken.status).toBe(200);
  await first.kill();
  await shown.done;
  expect(shown.chunks.slice(-2)).toMatchObject([
    { data: { elicitationId, resolution: { outcome: "accepted" } } },
    STOPPED,
  ]);
  expect(await effects()).toEqual([]);
});

test(
  "when a process is killed after it stored an answer and before it replied, the same answer counts when it is sent again",
  { tags: ["long"] },
  async () => {
    const { proxy, first, second, ask, effects } = await setUp();
    const { stream, shown, elicitationId } = await ask("book-3");
    const reached = proxy.holdNext(/update .*records/s);
    second.ada.answer("book-3", { elicitationId, ...answer("Ada") }).catch(() => {});
    shown.done.catch(() => {});
    await reached;
    await second.kill();
    const again = await first.ada.answer("book-3", { elicitationId, ...answer("Ada") });
    expect(again.status).toBe(200);
    await stream.done;
    expect(textOf(stream)).toBe("booked for Ada");
    expect(await effects()).toEqual(["Ada"]);
  },
);
