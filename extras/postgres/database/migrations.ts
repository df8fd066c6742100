import type { Database, Query } from "./database.ts";
import { codeOf } from "./failures.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** Older versions of PostgreSQL get no more fixes. */
const OLDEST_VERSION = 15;

/** How long a migration waits for a lock, in milliseconds. Other processes wait behind it. */
const LOCK_MS = 200;
/** About how long a migration pauses, in milliseconds, so that other processes can use the table. */
const PAUSE_MS = 800;
const REPORT_AFTER_MS = 10_000;
const TRY_FOR_MS = 600_000;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * The statements that make the schema, in order. Append to the list; never change an entry that was released. User input
 * stands in plain text only in `settlements`, `log` and `steps`. Secrets and drafts (`secrets`) and the content of decisions
 * (`sealed`) are encrypted.
 */
export const MIGRATIONS: readonly string[] = [
  `
  create table SCHEMA.records (
    id text primary key,
    person text not null,
    conversation text not null,
    turn_id text not null,
    revision integer not null,
    is_open boolean not null,
    record text not null,
    last_mark text,
    place bigint generated always as identity,
    forget_at timestamptz not null,
    notice_at double precision,
    notice_id text,
    assignee text
  );
  create index records_open on SCHEMA.records (conversation, place) where is_open;
  create index records_open_of_turn on SCHEMA.records (turn_id) where is_open;
  create index records_due on SCHEMA.records (forget_at) where is_open;
  create index records_ended on SCHEMA.records (forget_at, place) where not is_open;
  create index records_forget on SCHEMA.records (forget_at);
  create index records_inbox on SCHEMA.records (person, place) where is_open;
  create index records_assigned on SCHEMA.records (assignee, place) where is_open and assignee is not null;
  create index records_desk on SCHEMA.records (coalesce(assignee, person), place) where is_open and notice_at is not null;
  create index records_notice on SCHEMA.records (notice_at) where is_open and notice_at is not null;
  create index records_claimed on SCHEMA.records (notice_id) where is_open and notice_at is not null and notice_id is not null;

  create table SCHEMA.notices (
    person text primary key,
    told text not null,
    forget_at timestamptz not null
  );
  create index notices_forget on SCHEMA.notices (forget_at);

  create table SCHEMA.settlements (
    id text primary key,
    settlement text not null,
    settled_at timestamptz not null default now()
  );
  create index settlements_settled on SCHEMA.settlements (settled_at);

  create table SCHEMA.turns (
    id text primary key,
    turn text not null,
    keep_ms double precision not null,
    conversation text,
    start text,
    fence integer not null default 0,
    length integer not null default 0,
    last_mark text,
    opened_at timestamptz not null default now(),
    ended_at timestamptz,
    forget_at timestamptz,
    owner text,
    place bigint generated always as identity
  );
  create index turns_never_run on SCHEMA.turns (opened_at) where fence = 0 and ended_at is null;
  create unique index turns_start on SCHEMA.turns (start) where start is not null;
  create index turns_forget on SCHEMA.turns (forget_at) where forget_at is not null;
  create index turns_owner on SCHEMA.turns (owner, place) where owner is not null;

  create table SCHEMA.conversations (
    id text primary key,
    turn_id text not null
  );
  create index conversations_turn on SCHEMA.conversations (turn_id);

  create table SCHEMA.log (
    turn_id text not null,
    seq integer not null,
    at double precision not null,
    chunk text not null,
    primary key (turn_id, seq)
  );

  create table SCHEMA.runs (
    turn_id text primary key,
    name text not null,
    input text not null,
    process bigint not null,
    stop_reason text,
    run integer not null default 1,
    deaths integer not null default 0,
    working boolean not null default true,
    version bigint not null default 0
  );
  create index runs_process on SCHEMA.runs (process);

  create table SCHEMA.steps (
    turn_id text not null,
    run integer not null,
    place integer not null,
    name text not null,
    output text not null,
    primary key (turn_id, run, place)
  );

  create table SCHEMA.secrets (
    kind text not null,
    id text not null,
    sealed bytea not null,
    forget_at timestamptz,
    primary key (kind, id)
  );
  create index secrets_forget on SCHEMA.secrets (forget_at) where forget_at is not null;

  create table SCHEMA.locks (
    id text primary key,
    holder text not null,
    until timestamptz not null
  );

  create unlogged table SCHEMA.uses (
    id text primary key,
    started_at timestamptz not null,
    used integer not null
  );
  create index uses_started on SCHEMA.uses (started_at);

  create table SCHEMA.decisions (
    seq bigint primary key,
    previous bytea not null,
    person text not null,
    at timestamptz not null,
    entry text not null,
    sealed bytea
  );
  create index decisions_person on SCHEMA.decisions (person, seq);
  create index decisions_at on SCHEMA.decisions using brin (at);

  create table SCHEMA.waiting_decisions (
    place bigint generated always as identity primary key,
    person text not null,
    at timestamptz not null,
    entry text not null,
    sealed bytea
  );

  create table SCHEMA.decisions_end (
    is_only boolean primary key default true check (is_only),
    first bigint not null,
    seq bigint not null,
    digest bytea not null,
    pruned bytea
  );
  insert into SCHEMA.decisions_end (first, seq, digest) values (1, 0, decode(repeat('0', 64), 'hex'));
  `,
];

/** Migrates the schema to this version. Processes that start together migrate one after another. */
export async function migrate(
  database: Database,
  { mayChange, onError }: { mayChange: boolean; onError: (error: unknown) => void },
  migrations = MIGRATIONS,
): Promise<void> {
  const [server] = await database.query(
    "select current_setting('server_version_num')::integer / 10000 as version, current_setting('server_encoding') as encoding",
  );
  const version = server?.number("version") ?? 0;
  if (version < OLDEST_VERSION) {
    throw new KitError(
      `elicit-kit: this is PostgreSQL ${version}, and version ${OLDEST_VERSION} or newer is needed. Update the server.`,
    );
  }
  const encoding = server?.text("encoding");
  // In most other encodings, one character that cannot be stored fails the chunks of all turns that are stored with it.
  // SQL_ASCII stores any bytes, but does not know characters.
  if (encoding !== "UTF8") {
    throw new KitError(
      `elicit-kit: the database has the encoding ${encoding}, and UTF8 is needed. Create one: createdb --encoding=UTF8 --template=template0 NAME`,
    );
  }
  const done = await appliedBy(database.query, database.schema);
  ensureKnown(done, migrations.length, database.schema);
  if (done === migrations.length) return;
  if (!mayChange) {
    throw new KitError(
      `elicit-kit: the schema "${database.schema}" is at migration ${done} of ${migrations.length}, and migrate is false. Start one process with migrate: true and a user that may create tables.`,
    );
  }
  try {
    for (let left = 1; left > 0;) left = await applyNext(database, migrations, onError);
  } catch (error) {
    if (error instanceof Error && codeOf(error.cause) === "42501") {
      throw new KitError(
        `elicit-kit: the database user may not create the schema "${database.schema}". Run \`grant create on database NAME to USER\`, or start one process with a user that may, and the others with migrate: false.`,
        { cause: error },
      );
    }
    throw error;
  }
}

/**
 * Applies one migration, in a transaction of its own. Returns how many are left. A statement that waits for a table lock
 * blocks all later statements on that table. So it waits only briefly and is retried later.
 */
async function applyNext(
  database: Database,
  migrations: readonly string[],
  onError: (error: unknown) => void,
): Promise<number> {
  const start = performance.now();
  for (let isReported = false; ;) {
    try {
      return await database.transaction((query) => apply(query, database.schema, migrations), {
        mayTakeLong: true,
      });
    } catch (error) {
      const isLocked = error instanceof Error && codeOf(error.cause) === LOCK_NOT_AVAILABLE;
      const ms = performance.now() - start;
      if (!isLocked || ms > TRY_FOR_MS) throw error;
      if (!isReported && ms > REPORT_AFTER_MS) {
        isReported = true;
        onError(
          new KitError(
            "elicit-kit: a migration waits for a lock on a table. It is tried again until the transactions that use the table have ended. `pg_stat_activity` shows them.",
          ),
        );
      }
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())));
  }
}

async function apply(query: Query, schema: string, migrations: readonly string[]): Promise<number> {
  await query(`set local lock_timeout = ${LOCK_MS}`);
  await query("select pg_catalog.pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `elicit-kit migrations ${schema}`,
  ]);
  const done = await appliedBy(query, schema);
  if (done === 0) {
    await query(`create schema if not exists "${schema}"`);
    await query(
      "create table if not exists SCHEMA.migrations (number integer primary key, applied_at timestamptz not null default now())",
    );
  }
  const statements = migrations[done];
  // Another process has applied it, or the schema has a newer version.
  if (statements === undefined) return 0;
  for (const statement of statements.split(/;$/m)) await query(statement);
  await query("insert into SCHEMA.migrations (number) values ($1)", [done + 1]);
  return migrations.length - done - 1;
}

/** The number of the last migration that was applied. */
async function appliedBy(query: Query, schema: string): Promise<number> {
  // Reads the catalogue itself, because `to_regclass` may not see a table that another process has just committed.
  const found = await query(
    "select from pg_catalog.pg_tables where schemaname = $1 and tablename = 'migrations'",
    [schema],
  );
  if (found.length === 0) return 0;
  const [last] = await query("select coalesce(max(number), 0) as number from SCHEMA.migrations");
  return last?.number("number") ?? 0;
}

function ensureKnown(done: number, known: number, schema: string): void {
  if (done <= known) return;
  throw new KitError(
    `elicit-kit: the schema "${schema}" was made by a newer version of elicit-kit (migration ${done}; this version knows ${known}). Update elicit-kit in this process, or give it another schema.`,
  );
}
