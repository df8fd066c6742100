/**
 * Measures the cost of turns that are parked: `node --expose-gc bench/parking.ts`. It measures heap, disk
 * space, the time to park, and the time from an answer to the next chunk, and compares them with DBOS alone and with a
 * process that was killed. `PARKED` turns are really parked; `STORED` rows are copies of one parked turn.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { createPostgresPorts } from "../extras/postgres/index.ts";
import { startPostgres } from "../tools/postgres.mjs";
import {
  type Latency,
  type WaitingTurn,
  answer,
  ask,
  heap,
  latencyOf,
  repeat,
  startProcess,
} from "./asking-turns.ts";
import { type Figure, report } from "./figures.ts";
import { watchDatabase } from "./watched-database.ts";

const PARKED = Number(process.env["PARKED"] ?? 10_000);
const STORED = Number(process.env["STORED"] ?? 1_000_000);
const AT_ONCE = 64;
const WARM_UP = 10;
const ROUNDS = 50;
const KILLS = 10;
const PARK_AFTER_MS = 250;
const IDLE_MS = 10_000;
/** The memory of the last turns is released a little later. */
const SETTLE_MS = 10_000;
const KiB = 1024;
const MiB = 1024 * KiB;

const database = await startPostgres({
  settings: [
    "fsync=on",
    "full_page_writes=on",
    "synchronous_commit=on",
    "shared_buffers=256MB",
    "max_connections=200",
    "max_wal_size=4GB",
  ],
});
const { admin, number, size, commits } = await watchDatabase(database.url);
const parked = () => number("select count(*) as n from elicit_kit.runs where process = 2");

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const ports = await createPostgresPorts({
  connectionString: database.url,
  durable: { parkAfterMs: PARK_AFTER_MS },
  onError: console.error,
});
const bareTurn = DBOS.registerWorkflow(
  async () => {
    const started = await DBOS.recv<number>("answer", { timeoutSeconds: 60, pollingIntervalMs: 60_000 });
    return performance.now() - (started ?? Number.NaN);
  },
  { name: "bare turn" },
);
DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: database.url,
  applicationVersion: "bench",
  logger: { info() {}, debug() {}, warn() {}, error: console.error },
});
await DBOS.launch();
const here = startProcess(ports);

/** The time from `DBOS.send` until `DBOS.recv` returns, with the notifications of DBOS. */
async function bareLatency(): Promise<Latency> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const handle = await DBOS.startWorkflow(bareTurn)();
    // Gives the workflow time to reach its wait.
    await new Promise((resolve) => setTimeout(resolve, 30));
    await DBOS.send(handle.workflowID, performance.now(), "answer");
    times.push(await handle.getResult());
  }
  return latencyOf(times.slice(WARM_UP));
}

/** The time from the answer to a parked turn until its next chunk. */
async function parkedLatency(): Promise<Latency> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const turn = await ask(here);
    await until(async () => !ports.claims.isHere(turn.id));
    times.push(await answer(here, turn));
  }
  return latencyOf(times.slice(WARM_UP));
}

/** Starts a process that asks and does not park its turns. */
async function startOther(): Promise<{ child: ChildProcess; turn: WaitingTurn }> {
  const child = fork(fileURLToPath(new URL("parking-home.ts", import.meta.url)), [database.url]);
  const turn = await new Promise<WaitingTurn>((resolve) => child.once("message", resolve));
  return { child, turn };
}

/** The time from the answer to the next chunk in this process, directly after the process of the turn was killed. */
async function killedLatency(): Promise<Latency> {
  const times: number[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const { child, turn } = await startOther();
    child.kill("SIGKILL");
    await once(child, "exit");
    times.push(await answer(here, turn));
  }
  return latencyOf(times);
}

/** Copies the rows of one parked turn. */
async function copyRows({ id }: WaitingTurn, copies: number): Promise<void> {
  const { rows } = await admin.query<{ table: string; key: string; columns: string[] }>(
    `select t.table_name as table, case t.table_name when 'turns' then 'id' else 'turn_id' end as key,
       array_agg(c.column_name::text) as columns
     from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
     where t.table_schema = 'elicit_kit' and t.table_name in ('turns', 'log', 'runs', 'records', 'conversations')
       and c.is_identity = 'NO'
     group by 1, 2`,
  );
  const [turn] = (
    await admin.query<{ id: string }>("select turn_id as id from elicit_kit.runs where input like $1", [
      `%${id}%`,
    ])
  ).rows;
  // The keys of users, conversations and turns are hashes, so any other text gives another key.
  const own = new Set(["id", "turn_id", "person", "conversation"]);
  for (const { table, key, columns } of rows) {
    const values = columns.map((column) => (own.has(column) ? `r."${column}" || '-' || n` : `r."${column}"`));
    await admin.query(
      `insert into elicit_kit.${table} (${columns.map((column) => `"${column}"`).join(", ")})
       select ${values.join(", ")} from elicit_kit.${table} r, generate_series(1, ${copies}) as n where r.${key} = $1`,
      [turn?.id],
    );
  }
  await admin.query("vacuum analyze");
}

/** Prints the progress, because this takes minutes. */
const step = (what: string) => console.log(`${(performance.now() / 1000).toFixed(0)} s: ${what}`);

step("latencies, with no other turn");
const bare = await bareLatency();
const empty = await parkedLatency();
const killed = await killedLatency();

step(`parking ${PARKED} turns`);
await ports.cleanUp();
const before = { heap: await heap(), size: await size() };
const from = performance.now();
const turns = await repeat(PARKED, AT_ONCE, () => ask(here));
await until(async () => (await parked()) >= PARKED);
const seconds = (performance.now() - from) / 1000;
await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
const full = { heap: await heap(), size: await size() };
const beside = await parkedLatency();

const burstFrom = performance.now();
const answered = turns.splice(0, Math.min(1000, PARKED / 2));
await repeat(answered.length, AT_ONCE, async () => answer(here, answered.pop()!));
const burst = Math.min(1000, PARKED / 2) / ((performance.now() - burstFrom) / 1000);

step(`storing ${STORED} parked turns`);
const storedFrom = { size: await size(), heap: await heap() };
await copyRows(turns[0]!, STORED);
const stored = { size: await size() };
step("an idle process, and latencies");
await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
const idleFrom = await commits();
const cpuFrom = process.cpuUsage();
await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
const cpu = process.cpuUsage(cpuFrom);
const idle = ((await commits()) - idleFrom) / (IDLE_MS / 1000);
const besideStored = await parkedLatency();
const storedHeap = await heap();

const ms = (figure: string, ours: number, peer?: Figure["peer"], target?: number): Figure => ({
  figure,
  unit: "ms",
  ours,
  peer,
  target,
});
const figures: Figure[] = [
  ms("answer to the next chunk of a parked turn, median", empty.p50, {
    name: "DBOS.send to DBOS.recv, bare, not parked",
    value: bare.p50,
  }),
  ms("the same, 95th percentile", empty.p95, { name: "bare DBOS", value: bare.p95 }),
  ms(
    `the same beside ${PARKED} parked turns, median`,
    beside.p50,
    { name: "with none", value: empty.p50 },
    2,
  ),
  ms(
    `the same beside ${STORED} stored parked turns, median`,
    besideStored.p50,
    { name: "with none", value: empty.p50 },
    2,
  ),
  ms("the same, 95th percentile", besideStored.p95, { name: "with none", value: empty.p95 }),
  ms("answer right after a kill to the next chunk in another process, median", killed.p50, undefined, 400),
  ms("the same, slowest of 10", killed.p95),
  {
    figure: `heap of a process while ${PARKED} of its turns are parked`,
    unit: "MiB",
    ours: full.heap / MiB,
    peer: { name: "before", value: before.heap / MiB },
    target: 1.1,
  },
  {
    figure: `heap beside ${STORED} stored parked turns`,
    unit: "MiB",
    ours: storedHeap / MiB,
    peer: { name: "before", value: storedFrom.heap / MiB },
    target: 1.1,
  },
  { figure: "turns asked and parked", unit: "/s", ours: PARKED / seconds },
  { figure: "answers to parked turns at once", unit: "/s", ours: burst },
  {
    figure: "disk per parked turn",
    unit: "KiB",
    ours: (full.size - before.size) / PARKED / KiB,
    target: 4,
  },
  {
    figure: "disk per stored parked turn",
    unit: "KiB",
    ours: (stored.size - storedFrom.size) / STORED / KiB,
    target: 4,
  },
  {
    figure: `transactions of one idle process beside ${STORED} parked turns`,
    unit: "/s",
    ours: idle,
    target: 60,
  },
  {
    figure: "CPU of that process, in 10 s",
    unit: "ms",
    ours: (cpu.user + cpu.system) / 1000,
  },
];
report(figures);
await here.runtime.close();
await DBOS.shutdown();
await ports.close();
await admin.end();
await database.stop();
process.exit();
