import { Pool } from "pg";
import { expect, test } from "vitest";
import { createPostgresPorts } from "../index.ts";
import { createSqlProxy } from "../../../test/stages/sql-proxy.ts";
import { testRecord, testTurn } from "../../../test/stages/test-ports.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";

const { signal } = new AbortController();
const onError = () => {};
const ROME = { outcome: "accepted", content: { city: "Rome" } } as const;

test("processes that start at the same time on an empty database create one schema", async () => {
  const { url, query } = await createTestDatabase({ empty: true });
  await Promise.all([1, 2, 3, 4].map(() => startPorts(url)));
  const { rows } = await query("select number from elicit_kit.migrations order by number");
  expect(rows).toEqual([{ number: 1 }]);
});

test("schemas in one database are independent", async () => {
  const { url } = await createTestDatabase();
  const [one, two] = [await startPorts(url, { schema: "one" }), await startPorts(url, { schema: "two" })];
  const record = testRecord();
  await one.records.create(record);
  expect(await two.records.get(record.request.elicitationId)).toBeUndefined();
});

test.each(["", "Upper", "1st", "with-dash", "x".repeat(42)])(
  "the schema name %j is refused, and the error says which names are allowed",
  async (schema) => {
    await expect(createPostgresPorts({ schema, onError: () => {} })).rejects.toThrow(
      `elicit-kit: the schema of createPostgresPorts must be 1 to 41 lower-case letters, digits and underscores, with no digit first, but it is: ${schema}`,
    );
  },
);

test("a schema of a newer version is refused and stays unchanged", async () => {
  const { url, query } = await createTestDatabase();
  await startPorts(url);
  await query("insert into elicit_kit.migrations (number) values (99)");
  await expect(startPorts(url)).rejects.toThrow(
    /^elicit-kit: the schema "elicit_kit" was made by a newer version .*migration 99.*Update elicit-kit/,
  );
});

test.each(["LATIN1", "SQL_ASCII"])(
  "a database with the encoding %s is refused, and the error says how to create one with UTF8",
  async (encoding) => {
    const { url, query } = await createTestDatabase({ encoding });
    await expect(startPorts(url)).rejects.toThrow(
      `elicit-kit: the database has the encoding ${encoding}, and UTF8 is needed. Create one: createdb --encoding=UTF8 --template=template0 NAME`,
    );
    const { rows } = await query("select from pg_namespace where nspname = 'elicit_kit'");
    expect(rows).toEqual([]);
  },
);

test("with migrate: false, a missing schema is an error, and an existing one is used", async () => {
  const { url } = await createTestDatabase({ empty: true });
  await expect(startPorts(url, { migrate: false })).rejects.toThrow(
    /^elicit-kit: the schema "elicit_kit" is at migration 0 of 1\b.*migrate: true/,
  );
  await startPorts(url);
  await startPorts(url, { migrate: false });
});

test("notifications arrive even if a schema of the search path has functions with the names of those of PostgreSQL", async () => {
  const { url, query } = await createTestDatabase();
  await query("create schema shadows");
  await query("create function shadows.pg_notify(text, text) returns text language sql as 'select $1'");
  await query(
    "create function shadows.pg_advisory_lock_shared(bigint) returns text language sql as 'select 1::text'",
  );
  await query(`alter database ${new URL(url).pathname.slice(1)} set search_path = shadows, pg_catalog`);
  const ports = await startPorts(url);
  const waiting = ports.waiter.wait("e1", { signal });
  await ports.waiter.settle("e1", ROME);
  expect(await waiting).toEqual(ROME);
});

test("the error for a user without the right to create the schema names the missing right", async () => {
  const { url, query } = await createTestDatabase({ empty: true });
  const name = `reader_${process.pid}_${Date.now()}`;
  await query(`create role ${name} login`);
  const theirs = Object.assign(new URL(url), { username: name }).href;
  try {
    await expect(startPorts(theirs)).rejects.toThrow(
      /^elicit-kit: the database user may not create the schema .*grant create on database/,
    );
    await startPorts(url);
    await query(`grant usage on schema elicit_kit to ${name}`);
    await query(`grant select, insert, update, delete on all tables in schema elicit_kit to ${name}`);
    const ports = await startPorts(theirs, { migrate: false });
    const record = testRecord();
    expect(await ports.records.create(record)).toEqual(record);
    await ports.close();
  } finally {
    await query(`drop owned by ${name}`);
    await query(`drop role ${name}`);
  }
});

test.each<[string, (url: URL) => void, RegExp]>([
  ["no server", (url) => (url.port = "1"), /^elicit-kit: nothing listens .*Is PostgreSQL running/],
  [
    "a database that does not exist",
    (url) => (url.pathname = "/missing"),
    /^elicit-kit: the database does not exist/,
  ],
  [
    "a user that does not exist",
    (url) => (url.username = "nobody"),
    /^elicit-kit: PostgreSQL refused the user/,
  ],
])("the error at the start says what is wrong with the connection: %s", async (_, change, words) => {
  const { url } = await createTestDatabase();
  const wrong = new URL(url);
  change(wrong);
  await expect(
    createPostgresPorts({ connectionString: wrong.href, onError, retryForMs: 200 }),
  ).rejects.toThrow(words);
});

test.each<[string, Parameters<typeof startPorts>[1], string]>([
  ["both a connectionString and a pool", { pool: new Pool() }, "either a connectionString or a pool"],
  ["a schema with other characters", { schema: 'x"; drop' }, "lower-case letters"],
])("createPostgresPorts refuses %s", async (_, options, words) => {
  await expect(startPorts("postgres://127.0.0.1:1/x", options)).rejects.toThrow(words);
});

test("a pool that the app passes is used, and stays open when the ports are closed", async () => {
  const { url } = await createTestDatabase();
  const pool = new Pool({ connectionString: url, max: 4 });
  const ports = await createPostgresPorts({ pool, onError });
  const record = testRecord();
  await ports.records.create(record);
  await ports.close();
  expect((await pool.query("select count(*)::integer as n from elicit_kit.records")).rows).toEqual([
    { n: 1 },
  ]);
  await pool.end();
});

test("a pool with one connection is refused, unless notifications use another connection", async () => {
  const { url } = await createTestDatabase();
  const pool = new Pool({ connectionString: url, max: 1 });
  await expect(createPostgresPorts({ pool, onError })).rejects.toThrow(
    /^elicit-kit: the pool of createPostgresPorts has one connection, and notifications take it.*max: 2.*directConnectionString/,
  );
  const ports = await createPostgresPorts({ pool, directConnectionString: url, onError });
  const record = testRecord();
  expect(await ports.records.create(record)).toEqual(record);
  await ports.close();
  await pool.end();
});

test("a pooler that loses notifications is refused, unless the server itself can be reached", async () => {
  const { url } = await createTestDatabase();
  const pooler = await createSqlProxy(url);
  pooler.dropNotifications();
  await expect(startPorts(pooler.url)).rejects.toThrow(
    /^elicit-kit: notifications of PostgreSQL do not arrive\. A pooler in transaction mode.*directConnectionString/,
  );
  const ports = await startPorts(pooler.url, { directConnectionString: url });
  const waiting = ports.waiter.wait("e1", { signal });
  await ports.waiter.settle("e1", ROME);
  expect(await waiting).toEqual(ROME);
});

test("an answer and a chunk that arrive while the notification connection is down are delivered", async () => {
  const { url } = await createTestDatabase();
  const proxy = await createSqlProxy(url);
  const [here, there] = [await startPorts(url, { directConnectionString: proxy.url }), await startPorts(url)];
  const turn = testTurn();
  await there.stream.open(turn, { replace: true });
  const lease = await there.stream.lease(turn.turnId);
  const waiting = here.waiter.wait("e1", { signal });
  const chunk = here.stream.read(turn.turnId, { live: true, signal })[Symbol.asyncIterator]().next();
  const nudged = new Promise<void>((resolve) => void here.waiter.onNudge("e1", resolve));
  proxy.cut();
  await expect.poll(() => here.errors.length).toBeGreaterThan(0);
  await there.waiter.settle("e1", ROME);
  await there.waiter.nudge("e1");
  await there.stream.append(turn.turnId, { type: "start" }, lease);
  proxy.open();
  expect(await waiting).toEqual(ROME);
  expect((await chunk).value).toMatchObject({ chunk: { type: "start" } });
  await nudged;
  // Notifications still arrive after the reconnection.
  const next = here.waiter.wait("e2", { signal });
  await there.waiter.settle("e2", ROME);
  expect(await next).toEqual(ROME);
});

test("a lost connection is replaced by one, however many messages arrive meanwhile", async () => {
  const { url, query } = await createTestDatabase();
  const proxy = await createSqlProxy(url);
  const ports = await startPorts(proxy.url);
  const start = ports.claims.register("turn", async () => {});
  const locks = async () =>
    (
      await query(
        `select pid from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted
         and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rows.map(({ pid }) => pid);
  const [lost] = await locks();
  const held = proxy.holdReplyTo(/listen "elicit_kit"/);
  await query("select pg_terminate_backend($1)", [lost]);
  const pass = await held;
  const started = Array.from({ length: 5 }, (_, index) => start(`turn-${index}`, {}));
  // No event would show that another connection was opened.
  await new Promise((resolve) => setTimeout(resolve, 300));
  pass();
  await Promise.all(started);
  await expect.poll(locks).toHaveLength(1);
  await ports.close();
  await expect.poll(locks).toEqual([]);
});

test("a connection that goes silent is replaced", async () => {
  const { url } = await createTestDatabase();
  const proxy = await createSqlProxy(url);
  const [here, there] = [await startPorts(url, { directConnectionString: proxy.url }), await startPorts(url)];
  const waiting = here.waiter.wait("e1", { signal });
  proxy.freeze();
  await there.waiter.settle("e1", ROME);
  await expect.poll(() => here.errors.length).toBeGreaterThan(0);
  proxy.open();
  expect(await waiting).toEqual(ROME);
});

test.each([
  ["insert into .*records", "a record is created"],
  ["update .*records", "the record is changed"],
  ["insert into .*log", "a chunk is appended"],
  ["insert into .*settlements", "the request is settled"],
  ["set ended_at", "the turn is closed"],
  ["set fence", "the lease is taken"],
])(
  'when the connection breaks before the reply to "%s", the caller does not notice, and %s once',
  async (statement) => {
    const { url } = await createTestDatabase();
    const proxy = await createSqlProxy(url);
    const ports = await startPorts(proxy.url, { directConnectionString: url });
    const turn = testTurn();
    await ports.stream.open(turn, { replace: true });
    proxy.loseReplyTo(new RegExp(statement, "s"));

    const record = testRecord();
    expect(await ports.records.create(record)).toEqual(record);
    const ended = { ...record, revision: 1, status: "declined", endedAt: Date.now() } as const;
    expect(await ports.records.compareAndSet(ended)).toBe(true);
    expect(await ports.records.compareAndSet(ended)).toBe(false);
    await ports.waiter.settle("e1", ROME);
    expect(await ports.waiter.wait("e1", { signal })).toEqual(ROME);
    const lease = await ports.stream.lease(turn.turnId);
    await Promise.all(["a", "b", "c"].map((type) => ports.stream.append(turn.turnId, { type }, lease)));
    await ports.stream.append(turn.turnId, { type: "d" }, lease);
    await ports.stream.close(turn.turnId, lease);
    const types: string[] = [];
    for await (const { seq, chunk } of ports.stream.read(turn.turnId, { live: true, signal })) {
      types.push(`${seq}${chunk.type}`);
    }
    expect(types).toEqual(["0a", "1b", "2c", "3d"]);
    expect(ports.errors).toEqual([]);
  },
);

test(
  "a call on a connection that goes silent is retried on another connection during the retry time",
  { tags: ["long"] },
  async () => {
    const { url } = await createTestDatabase();
    const proxy = await createSqlProxy(url);
    const ports = await startPorts(proxy.url, { directConnectionString: url, retryForMs: undefined });
    const record = testRecord();
    const silent = proxy.holdNext(/insert into .*records/s);
    const creating = ports.records.create(record);
    await silent;
    expect(await creating).toEqual(record);
    expect(ports.errors).toEqual([]);
  },
);

test("calls wait while PostgreSQL refuses connections", async () => {
  const { url } = await createTestDatabase();
  const proxy = await createSqlProxy(url);
  const ports = await startPorts(proxy.url);
  const record = testRecord();
  proxy.cut();
  const creating = ports.records.create(record);
  const opening = ports.stream.open(testTurn(), { replace: true });
  const waiting = ports.waiter.wait("e1", { signal });
  await expect.poll(() => ports.errors.length).toBeGreaterThan(0);
  proxy.open();
  expect(await creating).toEqual(record);
  expect(await opening).toEqual({ status: "opened" });
  await ports.waiter.settle("e1", ROME);
  expect(await waiting).toEqual(ROME);
});
