/**
 * What it costs that turns wait in PostgreSQL: from an answer in one process to the next chunk in the other one, beside
 * the same in memory and beside a bare notification; with thousands of turns that wait, and with a million stored ones.
 * Run by `node --expose-gc bench/durable.ts`; `WAITING` and `STORED` set other numbers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type Runtime, type RuntimeOptions, type Surface, createRuntime } from "../src/runtime/core/index.ts";
import { type PostgresPorts, createPostgresPorts } from "../src/runtime/postgres/index.ts";
import { startPostgres } from "../tools/postgres.mjs";
import { type Figure, isMet, report } from "./figures.ts";

const WAITING = Number(process.env["WAITING"] ?? 5000);
const STORED = Number(process.env["STORED"] ?? 1_000_000);
const WARM_UP = 20;
const ROUNDS = 100;
const OPENING = 64;
const IDLE_MS = 10_000;
const KiB = 1024;
const { signal } = new AbortController();
const supports = { url: true, form: true };

interface Process {
  readonly runtime: Runtime;
  readonly surface: Surface;
}

function startProcess(ports: Partial<RuntimeOptions>): Process {
  const runtime = createRuntime({
    ...ports,
    async *runTurn(turn) {
      const { outcome } = await turn.ask({
        mode: "form",
        message: "Where to?",
        tool: { id: "book", name: "book" },
        requestedSchema: { type: "object", properties: { city: { type: "string", title: "City" } } },
        expiresInMs: 3_600_000,
      });
      yield { type: `after-${outcome}` };
    },
    authenticate: () => undefined,
    allowedOrigins: [],
    writesPerMinute: 1_000_000_000,
    onError: console.error,
  });
  return { runtime, surface: runtime.surface("bench") };
}

let count = 0;

/** Starts a turn in `home`, and waits until its question is open. Returns a function that answers it through `other`. */
async function pause(home: Process, other: Process): Promise<() => Promise<number>> {
  count += 1;
  const user = { id: `user-${count}` };
  const turn = await home.surface.start({ user, conversationId: "c1", messages: [], supports });
  if ("refused" in turn) throw new Error(`elicit-kit: a turn was refused (${turn.refused}).`);
  const entries = turn.read({ live: true, signal })[Symbol.asyncIterator]();
  await entries.next();
  return async () => {
    const there = await other.surface.find(user, { turnId: turn.id });
    const [request] = (await there?.open()) ?? [];
    if (request === undefined) throw new Error("elicit-kit: the turn asks nothing.");
    const start = performance.now();
    const answered = there?.answer([
      { elicitationId: request.elicitationId, action: "accept", content: { city: "Rome" } },
    ]);
    let took = 0;
    for (let next = await entries.next(); next.done !== true; next = await entries.next()) {
      if (next.value.chunk.type === "after-accepted") took = performance.now() - start;
    }
    await answered;
    if (took === 0) throw new Error("elicit-kit: a turn did not go on with its answer.");
    return took;
  };
}

interface Latency {
  readonly p50: number;
  readonly p95: number;
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

/** From an answer through `other` to the next chunk, read in `home`. */
async function answerLatency(home: Process, other: Process): Promise<Latency> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) times.push(await (await pause(home, other))());
  return latencyOf(times.slice(WARM_UP));
}

/** The least that a wait in PostgreSQL can cost: a row, a notification, and a read of the row. */
async function bareLatency(url: string): Promise<Latency> {
  const [writer, reader] = [new Client(url), new Client(url)];
  await Promise.all([writer.connect(), reader.connect()]);
  await writer.query("create table bare (id integer primary key, value text)");
  await reader.query("listen bare");
  const times: number[] = [];
  for (let id = 0; id < WARM_UP + ROUNDS; id += 1) {
    const read = new Promise<void>((resolve, reject) => {
      reader.once("notification", () => {
        reader.query("select value from bare where id = $1", [id]).then(() => resolve(), reject);
      });
    });
    const start = performance.now();
    await writer.query(
      "with row as (insert into bare values ($1, 'Rome') returning id) select pg_notify('bare', '') from row",
      [id],
    );
    await read;
    times.push(performance.now() - start);
  }
  await Promise.all([writer.end(), reader.end()]);
  return latencyOf(times.slice(WARM_UP));
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const server = await startPostgres({ settings: ["synchronous_commit=on", "shared_buffers=256MB"] });
const admin = new Client(server.url);
await admin.connect();

async function number(query: string): Promise<number> {
  const { rows } = await admin.query<{ n: string }>(query);
  return Number(rows[0]?.n);
}
const size = () =>
  number(
    "select sum(pg_total_relation_size(c.oid)) as n from pg_class c join pg_namespace s on s.oid = c.relnamespace where s.nspname = 'elicit_kit' and c.relkind = 'r'",
  );
const commits = () =>
  number("select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()");

const connect = (): Promise<PostgresPorts> =>
  createPostgresPorts({ connectionString: server.url, onError: console.error });
const ports = [await connect(), await connect()] as const;
const [home, other] = [startProcess(ports[0]), startProcess(ports[1])];
const alone = startProcess({});

const memory = await answerLatency(alone, alone);
const bare = await bareLatency(server.url);
const empty = await answerLatency(home, other);

await ports[0].cleanUp();
const before = { heap: heap(), size: await size() };
const answers: (() => Promise<number>)[] = [];
await Promise.all(
  Array.from({ length: OPENING }, async () => {
    while (answers.length + OPENING <= WAITING) answers.push(await pause(home, other));
  }),
);
const waiting = { heap: heap(), size: await size() };
// The counts of the turns that were just opened arrive late.
await sleep(2000);
const idleFrom = await commits();
await sleep(IDLE_MS);
const idle = ((await commits()) - idleFrom) / (IDLE_MS / 1000);
const busy = await answerLatency(home, other);
const burstFrom = performance.now();
await Promise.all(answers.map((answer) => answer()));
const burst = answers.length / ((performance.now() - burstFrom) / 1000);

await admin.query(
  `insert into elicit_kit.records (id, person, conversation, turn_id, revision, is_open, record, forget_at)
   select 'stored-' || n, 'person-' || n, 'conversation-' || n, 'turn-' || n, 0, true, r.record, now() + interval '2 days'
   from generate_series(1, $1) as n, (select record from elicit_kit.records limit 1) as r`,
  [STORED],
);
await admin.query("analyze elicit_kit.records");
const full = await answerLatency(home, other);

const figures: Figure[] = [
  {
    figure: "answer in one process to the next chunk in another, median",
    unit: "ms",
    ours: empty.p50,
    peer: { name: "a bare row and notification", value: bare.p50 },
  },
  {
    figure: "the same, 95th percentile",
    unit: "ms",
    ours: empty.p95,
    peer: { name: "bare", value: bare.p95 },
  },
  { figure: "the same in memory, median", unit: "ms", ours: memory.p50 },
  {
    figure: `the same while ${answers.length} turns wait, median`,
    unit: "ms",
    ours: busy.p50,
    peer: { name: "while none waits", value: empty.p50 },
    target: 2,
  },
  {
    figure: `the same beside ${STORED} open requests, median`,
    unit: "ms",
    ours: full.p50,
    peer: { name: "in an empty table", value: empty.p50 },
    target: 2,
  },
  { figure: "transactions of two idle processes whose turns wait", unit: "/s", ours: idle, target: 60 },
  { figure: "answers at once", unit: "/s", ours: burst },
  { figure: "heap per waiting turn", unit: "KiB", ours: (waiting.heap - before.heap) / answers.length / KiB },
  {
    figure: "disk per waiting turn",
    unit: "KiB",
    ours: (waiting.size - before.size) / answers.length / KiB,
    target: 8,
  },
];
report(figures);
await Promise.all([home.runtime.close(), other.runtime.close(), alone.runtime.close()]);
await Promise.all(ports.map((one) => one.close()));
await admin.end();
await server.stop();
if (!figures.every(isMet)) process.exitCode = 1;
