/** Two processes that send notices to absent users, when one of them is killed. */
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createTestDatabase, startPorts } from "../stages/postgres-database.ts";
import { testRecord } from "../stages/test-ports.ts";
import { startServer } from "./server-process.ts";

const program = fileURLToPath(new URL("notice-server.ts", import.meta.url));
/**
 * The clock of the processes is this much faster: a claim lasts for ten seconds, and a callback may take five. On a busy
 * machine, twenty callbacks at once take longer than two seconds, and another process would rightly claim their notices
 * again.
 */
const FACTOR = 6;

async function setUp() {
  const { url, query } = await createTestDatabase();
  await query(
    "create table told (id text, person text, requests text[], process integer, place bigint generated always as identity)",
  );
  const { records } = await startPorts(url);
  const start = Date.now();
  const run = (mode: "tell" | "hang" | "die") =>
    startServer(url, { program, args: [`${start}`, `${FACTOR}`, mode] });
  async function ask(userId: string): Promise<string> {
    const now = start + (Date.now() - start) * FACTOR;
    const record = testRecord({
      user: { id: userId },
      createdAt: now,
      expiresAt: now + 86_400_000,
      noticeAt: now,
    });
    await records.create(record);
    return record.request.elicitationId;
  }
  const told = async () =>
    (await query("select id, person, requests, process from told order by place")).rows as {
      id: string;
      person: string;
      requests: string[];
      process: number;
    }[];
  const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms / FACTOR));
  return { run, ask, told, passed };
}

test("when a process is killed after it sent a notice and before it stored that, another one sends it again, with the same id", async () => {
  const { run, ask, told, passed } = await setUp();
  const first = await run("hang");
  const elicitationId = await ask("ada");
  await expect.poll(async () => (await told()).length).toBe(1);
  await first.kill();
  const second = await run("tell");
  await expect.poll(async () => (await told()).length).toBe(2);
  const [one, two] = await told();
  expect([one?.process, two?.process]).toEqual([first.child.pid, second.child.pid]);
  expect(two).toMatchObject({ id: one?.id, requests: [elicitationId] });
  await passed(70_000);
  expect(await told()).toHaveLength(2);
  expect(second.log).toEqual([]);
});

test(
  "a notice is sent even if a process is killed between its claim and its callback",
  { tags: ["long"] },
  async () => {
    const { run, ask, told, passed } = await setUp();
    const dying = await run("die");
    const exited = once(dying.child, "exit");
    const elicitationId = await ask("ada");
    await exited;
    expect(await told()).toEqual([]);
    const second = await run("tell");
    await expect.poll(async () => (await told()).length).toBe(1);
    await passed(70_000);
    expect(await told()).toMatchObject([{ person: "ada", requests: [elicitationId] }]);
    expect(second.log).toEqual([]);
  },
);

test(
  "two processes send each of many users one notice about all their waiting requests",
  { tags: ["long"] },
  async () => {
    const { run, ask, told, passed } = await setUp();
    const users = Array.from({ length: 60 }, (_, index) => `user${index}`);
    for (const user of [...users, ...users, ...users]) await ask(user);
    const processes = await Promise.all([run("tell"), run("tell")]);
    await expect.poll(async () => (await told()).length, { timeout: 60_000 }).toBe(users.length);
    await passed(70_000);
    const all = await told();
    expect(all.map(({ person }) => person).toSorted()).toEqual(users.toSorted());
    expect(all.every(({ requests }) => requests.length === 3)).toBe(true);
    expect(new Set(all.map(({ id }) => id)).size).toBe(users.length);
    expect(processes.flatMap(({ log }) => log)).toEqual([]);
  },
);
