import { expect, test } from "vitest";
import { createDeferred } from "../../src/base/deadlines.ts";
import type { RunTurn } from "../../src/runtime/index.ts";
import { onDbos } from "../stages/durable-ports.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { CITY, text } from "../stages/test-runtime.ts";

/** PostgreSQL refuses with these codes for a while, and later accepts the same statement. */
const REFUSALS = [
  { code: "53100", why: "the disk is full" },
  { code: "57014", why: "a statement takes too long" },
  { code: "55P03", why: "a lock takes too long" },
  { code: "25006", why: "the database is read-only" },
  { code: "57P05", why: "an idle session is ended" },
  { code: "42501", why: "a right is missing" },
  { code: "XX000", why: "the server has an internal error" },
];
const TABLES = [
  "elicit_kit.log",
  "elicit_kit.turns",
  "elicit_kit.records",
  ...(onDbos ? ["dbos.operation_outputs", "dbos.workflow_status"] : ["elicit_kit.steps", "elicit_kit.runs"]),
];

/** Makes writes of tables fail. `isUsed`: whether a write was refused. */
async function refuseWrites(
  query: Awaited<ReturnType<typeof createDurableProcesses>>["query"],
  code: string,
  tables: readonly string[],
) {
  await query("create sequence public.refusals");
  await query(
    `create function public.refuse() returns trigger language plpgsql as $$ begin
       perform nextval('public.refusals');
       raise exception 'no' using errcode = '${code}';
     end $$`,
  );
  for (const table of tables)
    await query(
      `create trigger refuse before insert or update or delete on ${table} for each statement execute function public.refuse()`,
    );
  return {
    isUsed: async () => (await query("select is_called from public.refusals")).rows[0].is_called,
    accept: async () => void (await query("drop function public.refuse() cascade")),
  };
}

const CASES = [
  ...REFUSALS.map((refusal) => ({ ...refusal, tables: TABLES })),
  ...TABLES.map((table) => ({ code: "57014", why: "a statement takes too long", tables: [table] })),
];

test.for(CASES)(
  "when PostgreSQL refuses writes of $tables because $why ($code), a turn whose answer was accepted continues afterwards",
  async ({ code, tables }) => {
    const { startProcess, query, left } = await createDurableProcesses();
    const goOn = createDeferred<void>();
    const answered = createDeferred<void>();
    let times = 0;
    const runTurn: RunTurn = async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      const { outcome } = await turn.ask(CITY);
      answered.resolve();
      await goOn.promise;
      const booked = await turn.runner
        .tool({ id: "call_1", name: "book" }, () =>
          turn.runner.step("book", async () => `booked ${(times += 1)}`),
        )
        .catch(() => "Something went wrong");
      const second = await turn.ask({ ...CITY, message: "And then?" });
      yield* text(`${outcome}, ${booked}, ${second.outcome}`);
    };
    const { ada } = await startProcess(runTurn, { retryForMs: 200, sweepMs: 100 });
    const stream = await ada.send("c1");
    stream.done.catch(() => {});
    const { elicitationId } = await stream.request();
    const content = { city: "Rome" };
    expect((await ada.answer("c1", { elicitationId, action: "accept", content })).status).toBe(200);
    await answered.promise;
    const refusals = await refuseWrites(query, code, tables);
    goOn.resolve();
    const isAsked = async () =>
      (await query("select from elicit_kit.records where record like '%And then?%'")).rows.length > 0;
    // Nothing is written to some tables before the next question.
    await expect.poll(async () => (await isAsked()) || (await refusals.isUsed())).toBe(true);
    await refusals.accept();
    await expect.poll(isAsked).toBe(true);
    const open = async () => {
      const reply = await ada.fetch("/run/api/elicitations?conversationId=c1");
      const { elicitations = [] } = await reply.json();
      return elicitations;
    };
    await expect.poll(async () => (await open()).length).toBe(1);
    const [{ elicitationId: next }] = await open();
    expect((await ada.answer("c1", { elicitationId: next, action: "decline" })).status).toBe(200);
    await expect.poll(left).toBe(0);
    const log = (await query("select chunk::json as chunk from elicit_kit.log order by seq")).rows.map(
      ({ chunk }) => chunk,
    );
    expect(log.map(({ delta = "" }) => delta).join("")).toMatch(/^accepted, booked [12], declined$/);
    expect(log.at(-1)).toEqual({ type: "finish" });
  },
);
