/**
 * Measures the cost of turns that wait in PostgreSQL: `node --expose-gc bench/durable.ts`. It measures the time from an
 * answer in one process to the next chunk in another, compared with the same in memory and with a bare notification,
 * while thousands of turns wait and a million are stored. `WAITING` and `STORED` set other numbers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type PostgresPorts, createPostgresPorts } from "../extras/postgres/index.ts";
import { startPostgres } from "../tools/postgres.mjs";
import {
  type BenchProcess,
  type Latency,
  answer,
  ask,
  heap,
  latencyOf,
  repeat,
  startProcess,
} from "./asking-turns.ts";
import { type Figure, report } from "./figures.ts";
import { watchDatabase } from "./watched-database.ts";

const WAITING = Number(process.env["WAITING"] ?? 5000);
const STORED = Number(process.env["STORED"] ?? 1_000_000);
const WARM_UP = 20;
const ROUNDS = Number(process.env["ROUNDS"] ?? 200);
const AT_ONCE = 64;
const IDLE_MS = 10_000;
const KiB = 1024;

/** The time from an answer through `other` to the next chunk, read in `home`. */
async function answerLatency(home: BenchProcess, other: BenchProcess): Promise<Latency> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1)
    times.push(await answer(other, await ask(home), home));
  return latencyOf(times.slice(WARM_UP));
}

/** The minimum cost of a wait in PostgreSQL: one row, one notification, and one read of the row. */
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

const server = await startPostgres({
  settings: ["fsync=on", "full_page_writes=on", "synchronous_commit=on", "shared_buffers=256MB"],
});
const { admin, size, commits } = await watchDatabase(server.url);

const connect = (): Promise<PostgresPorts> =>
  createPostgresPorts({ connectionString: server.url, onError: console.error });
const ports = [await connect(), await connect()] as const;
const [home, other] = [startProcess(ports[0]), startProcess(ports[1])];
const alone = startProcess({});

const memory = await answerLatency(alone, alone);
const bare = await bareLatency(server.url);
const empty = await answerLatency(home, other);

await ports[0].cleanUp();
const before = { heap: await heap(), size: await size() };
const turns = await repeat(WAITING, AT_ONCE, () => ask(home));
const waiting = { heap: await heap(), size: await size() };
// The statistics of the turns that have just started arrive late.
await sleep(2000);
const idleFrom = await commits();
const cpuFrom = process.cpuUsage();
await sleep(IDLE_MS);
const cpu = process.cpuUsage(cpuFrom);
const idle = ((await commits()) - idleFrom) / (IDLE_MS / 1000);
const busy = await answerLatency(home, other);
const burstFrom = performance.now();
await repeat(turns.length, turns.length, () => answer(other, turns.pop()!, home));
const burst = WAITING / ((performance.now() - burstFrom) / 1000);

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
  {
    figure: "the same, 99th percentile",
    unit: "ms",
    ours: empty.p99,
    peer: { name: "bare", value: bare.p99 },
  },
  { figure: "the same in memory, median", unit: "ms", ours: memory.p50 },
  {
    figure: `the same while ${WAITING} turns wait, median`,
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
  { figure: "CPU of both, in 10 s", unit: "ms", ours: (cpu.user + cpu.system) / 1000 },
  { figure: "answers at once", unit: "/s", ours: burst },
  { figure: "heap per waiting turn", unit: "KiB", ours: (waiting.heap - before.heap) / WAITING / KiB },
  {
    figure: "disk per waiting turn",
    unit: "KiB",
    ours: (waiting.size - before.size) / WAITING / KiB,
    target: 8,
  },
];
report(figures);
await Promise.all([home.runtime.close(), other.runtime.close(), alone.runtime.close()]);
await Promise.all(ports.map((one) => one.close()));
await admin.end();
await server.stop();
