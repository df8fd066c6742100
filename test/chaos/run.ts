/**
 * `npm run test:long -- chaos`: three real processes on a real PostgreSQL, simulated users, and faults of all kinds until
 * enough turns have ended and enough processes were killed. Then every guarantee is checked. TURNS, KILLS, USERS and SEED
 * set other numbers. On a slow machine, CALM=3 makes a third of the faults, and PATIENCE_MS lets conversations take
 * longer. The seed decides the actions of users and faults, but not their timing, so runs with the same seed still
 * differ.
 */
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { startPostgres } from "../../tools/postgres.mjs";
import { Random } from "../simulation/random.ts";
import { type FaultCounts, type Hits, makeFaults } from "./faults.ts";
import { EFFECTS, untilClosed, wrongIn } from "./invariants.ts";
import { Processes } from "./processes.ts";
import { converse } from "./user.ts";

const TURNS = Number(process.env["TURNS"] ?? 500);
const KILLS = Number(process.env["KILLS"] ?? 50);
const SEED = Number(process.env["SEED"] ?? Date.now());
const PROCESSES = 3;
/** Conversations at a time. */
const USERS = Number(process.env["USERS"] ?? 8);
const CALM = Number(process.env["CALM"] ?? 1);

const log = join(mkdtempSync(join(tmpdir(), "elicit-kit-chaos-")), "errors.log");
console.log(`seed ${SEED}; what the processes report: ${log}`);
const server = await startPostgres({ settings: ["max_connections=120"] });
const processes = new Processes(server.url, once, (text) => appendFileSync(log, text));
const over = new AbortController();
const wrong: string[] = [];
const counts: FaultCounts = { kills: 0, freezes: 0, restarts: 0, resets: 0, floods: 0 };
const hits: Hits = new Map();
let turns = 0;
let given = 0;
let answers = 0;
try {
  await once((client) => client.query(EFFECTS));
  await Promise.all(Array.from({ length: PROCESSES }, () => processes.start()));
  const faults = makeFaults({
    processes,
    server,
    random: new Random(SEED),
    calm: CALM,
    counts,
    hits,
    signal: over.signal,
  });
  await Promise.all(Array.from({ length: USERS }, (_, index) => chat(index)));
  over.abort();
  await faults;
  if (processes.crashes > 0) wrong.push(`${processes.crashes} processes have ended by themselves`);
  const open = await once((client) =>
    client.query(
      "select from elicit_kit.records where is_open union all select from elicit_kit.turns where ended_at is null",
    ),
  );
  if (open.rows.length > 0) wrong.push(`${open.rows.length} requests or turns are left open`);
} finally {
  processes.close();
  await sleep(500);
  await server.stop();
}
console.log(
  `${turns} turns, ${answers} answers taken; ${given} turns ended because three processes were killed under them; ${JSON.stringify(counts)}`,
);
console.log(wrong.length === 0 ? "0 violations" : `${wrong.length} violations:\n${wrong.join("\n")}`);
process.exitCode = wrong.length === 0 ? 0 : 1;

/** Runs one conversation after another, until there were enough. */
async function chat(user: number): Promise<void> {
  const random = new Random(SEED + user + 1);
  for (let count = 0; turns < TURNS || counts.kills < KILLS; count += 1) {
    const conversation = await converse(`chat-${user}-${count}`, processes, random);
    turns += 1;
    answers += conversation.winners.size;
    await untilClosed(conversation, once);
    const { wrong: found, isGivenUp } = await once((client) =>
      wrongIn(conversation, hits, client.query.bind(client)),
    );
    if (isGivenUp) given += 1;
    for (const words of found) console.log(words);
    wrong.push(...found);
    if (turns % 25 === 0)
      console.log(`${turns} turns, ${JSON.stringify(counts)}, ${wrong.length} violations`);
  }
}

/** Queries the database, and retries if it is away. */
async function once<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    const client = new Client(server.url);
    client.on("error", () => {});
    try {
      await client.connect();
      return await work(client);
    } catch (error) {
      if (tries === 50) throw error;
      await sleep(300);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
