/**
 * Measures the load of one durable turn on the database, with `fsync` on: `node bench/turn-commits.ts`. It counts the
 * transactions, and the commits that notify, of a turn that asks once and streams text before and after it, without
 * parking and with parking. `TURNS` sets the number of turns. `STATEMENTS=1` also prints the statements of one turn.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "ai";
import { Client, Pool } from "pg";
import { z } from "zod";
import { type AgentTool, createAgentTurn } from "../src/agent/index.ts";
import { REQUEST_PART_TYPE } from "../src/contract/contract.ts";
import type { PostgresClient, PostgresPool } from "../extras/postgres/database/database.ts";
import { createPostgresPorts } from "../extras/postgres/index.ts";
import { createRuntime } from "../src/runtime/index.ts";
import { createStatelessModel } from "../test/stages/scripted-model.ts";
import { startPostgres } from "../tools/postgres.mjs";
import { latencyOf } from "./asking-turns.ts";
import { type Figure, report } from "./figures.ts";

const TURNS = Number(process.env["TURNS"] ?? 30);
const WARM_UP = 5;
const PARK_AFTER_MS = 20;
/** No sweep runs while the benchmark counts. */
const NEVER_MS = 3_600_000;
const { signal } = new AbortController();
const supports = { url: true, form: true };

const server = await startPostgres({ settings: ["fsync=on", "full_page_writes=on"] });
const admin = new Client(server.url);
await admin.connect();

/**
 * The statements of the ports, in the form in which they were sent. The statistics of PostgreSQL cannot count them: a
 * connection reports its last transactions up to a minute later.
 */
const statements: { readonly text: string; readonly notifies: boolean; readonly isCommitted: boolean }[] = [];

/** A statement that decides not to notify returns null in place of the empty result of `pg_notify`. */
const notified = (row: Readonly<Record<string, unknown>>) => row["pg_notify"] !== null;

/** Records the statements that are sent on a connection. `client.query` takes a text, or an object with one. */
function noted(pool: Pool): PostgresPool {
  return {
    on: (event, listener) => pool.on(event, listener),
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const send: PostgresClient = client;
      let isInTransaction = false;
      const noting = new Proxy(client, {
        get(target, name) {
          if (name === "query") return query;
          const value: unknown = Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
      async function query(...[text, values]: Parameters<PostgresClient["query"]>) {
        const result = await send.query(text, values);
        const sent = typeof text === "string" ? text : text.text;
        if (sent === "begin") isInTransaction = true;
        if (sent === "commit") isInTransaction = false;
        const notifies = sent.includes("pg_notify") && result.rows.some(notified);
        statements.push({ text: sent, notifies, isCommitted: !isInTransaction });
        return result;
      }
      return noting;
    },
  };
}

const ask: AgentTool = ({ elicitor, turn }) =>
  tool({
    inputSchema: z.object({}),
    async execute(_, { toolCallId }) {
      const { outcome } = await elicitor(toolCallId).text("Which city?");
      return turn.runner.step("book", async () => outcome);
    },
  });

async function measure(parkAfterMs: number | false) {
  const pool = noted(new Pool({ connectionString: server.url, max: 10 }));
  const ports = await createPostgresPorts({
    pool,
    directConnectionString: server.url,
    sweepMs: NEVER_MS,
    durable: { parkAfterMs },
    onError: console.error,
  });
  const runtime = createRuntime({
    ports,
    authenticate: () => undefined,
    allowedOrigins: [],
    limits: { writesPerMinute: 1_000_000 },
    onError: console.error,
    runTurn: createAgentTurn({
      model: createStatelessModel([{ ask: {} }, "Have a nice trip."], async () => {}),
      tools: { ask },
      requester: { name: "Bench" },
      onError: console.error,
    }),
  });
  const surface = runtime.surface("bench");
  const times: number[] = [];
  async function runOne(number: number): Promise<void> {
    const user = { id: `user-${parkAfterMs}-${number}` };
    const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "Book a trip" }] }];
    const turn = await surface.start({ user, conversationId: "c1", messages, supports });
    if ("refused" in turn) throw new Error(`elicit-kit: a turn was refused (${turn.refused}).`);
    const asked = turn.read({ live: true, signal })[Symbol.asyncIterator]();
    for (let next = await asked.next(); next.value?.chunk.type !== REQUEST_PART_TYPE;)
      next = await asked.next();
    await asked.return?.();
    const [request] = await turn.open();
    if (request === undefined) throw new Error("elicit-kit: the turn asks nothing.");
    if (parkAfterMs !== false) {
      const parked = "select from elicit_kit.runs where process = 2";
      while ((await admin.query(parked)).rows.length === 0) await sleep(20);
    }
    const start = performance.now();
    const { elicitationId } = request;
    await turn.answer([{ elicitationId, action: "accept", content: { answer: "Rome" } }]);
    for await (const { chunk } of turn.read({ live: true, signal })) if (chunk.type === "finish") break;
    times.push(performance.now() - start);
    // Waits until its rows are deleted.
    while ((await admin.query("select from elicit_kit.runs")).rows.length > 0) await sleep(20);
  }
  for (let number = 0; number < WARM_UP; number += 1) await runOne(-1 - number);
  times.length = 0;
  statements.length = 0;
  for (let number = 0; number < TURNS; number += 1) await runOne(number);
  const transactions = statements.filter(({ isCommitted }) => isCommitted).length;
  const notifying = statements.filter(({ notifies }) => notifies).length;
  if (process.env["STATEMENTS"] === "1") {
    for (const [text, count] of counted()) console.log(`${(count / TURNS).toFixed(1)}  ${text}`);
  }
  await runtime.close();
  await ports.close();
  await pool.end();
  return {
    transactions: transactions / TURNS,
    notifying: notifying / TURNS,
    ...latencyOf(times),
  };
}

function counted(): [string, number][] {
  const counts = new Map<string, number>();
  for (const { text, notifies } of statements) {
    const short = `${notifies ? "NOTIFY " : ""}${text.replaceAll(/\s+/g, " ").slice(0, 110)}`;
    counts.set(short, (counts.get(short) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

const waiting = await measure(false);
const parked = await measure(PARK_AFTER_MS);
const figures: Figure[] = [
  { figure: "transactions of a turn that waits", unit: "a turn", ours: waiting.transactions, target: 15 },
  { figure: "transactions of a turn that is parked", unit: "a turn", ours: parked.transactions, target: 25 },
  { figure: "commits of it that notify, waiting", unit: "a turn", ours: waiting.notifying, target: 4 },
  { figure: "commits of it that notify, parked", unit: "a turn", ours: parked.notifying, target: 4 },
  { figure: "answer to the end of a turn that waits, fsync on, median", unit: "ms", ours: waiting.p50 },
  { figure: "answer to the end of a parked turn, fsync on, median", unit: "ms", ours: parked.p50 },
];
report(figures);
await admin.end();
await server.stop();
process.exit();
