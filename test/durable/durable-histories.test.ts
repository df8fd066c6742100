import fc from "fast-check";
import { expect, test } from "vitest";
import type { FormQuestion, RunTurn } from "../../src/runtime/index.ts";
import { systemClock } from "../../src/base/clock.ts";
import { type ReadStream, readStream } from "../stages/chat-client.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { CITY, text } from "../stages/test-runtime.ts";
import { patience } from "../patience.ts";
import { endsIn } from "./ends-in.ts";

/** A history takes some tenths of a second, because its processes detect each other's deaths by sweeps. */
const numRuns = process.env["FC_RUNS"] === undefined ? 8 : Math.ceil(Number(process.env["FC_RUNS"]) / 10);
const CALLS = 3;
const TURNS_OUT = 600_000;
const PARK_AFTER_MS = 10;
/** Each history has one, which is fewer than a turn may cost. */
const KILLS = 1;

/** One event for a turn whose three tool calls ask in parallel, in one of the processes. */
type Happening =
  | { readonly kind: "answer"; readonly call: number; readonly city: string }
  | { readonly kind: "decline"; readonly call: number; readonly city?: undefined }
  | { readonly kind: "expire"; readonly call: number }
  /**
   * A process that loses its lock looks dead for a moment. A kill hits the first process: it still runs, but is cut off.
   */
  | { readonly kind: "stop" | "message" | "read" | "wake" | "lose lock" | "kill" };

const call = fc.nat(CALLS - 1);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("answer" as const),
      call,
      city: fc.constantFrom("Rome", "Oslo"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.record({ kind: fc.constant("decline" as const), call }),
      fc.record({ kind: fc.constant("expire" as const), call }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "stop" as const,
        "message" as const,
        "read" as const,
        "wake" as const,
        "wake" as const,
        "lose lock" as const,
        "kill" as const,
      ),
    }),
  },
);
/** When an event happens: in which process, and after how many milliseconds. The turn is parked after some of them. */
const history = fc.array(fc.tuple(happening, fc.nat(1), fc.nat(4 * PARK_AFTER_MS)), {
  minLength: 1,
  maxLength: 8,
});

const askFor = (message: string): FormQuestion => {
  const { mode, requestedSchema } = CITY;
  return { mode, message, requestedSchema, expiresInMs: TURNS_OUT };
};

/** Starts processes with an agent whose tool asks, does something with the answer, and asks again. */
async function setUp() {
  const processes = await createDurableProcesses();
  const { url, query } = processes;
  /** The effects of the tool by turn: each is a city from an answer. */
  const done: Record<string, string[]> = {};
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const results = await Promise.all(
      Array.from({ length: CALLS }, (_, index) =>
        turn.runner.tool({ id: `${turn.id}/${index}`, name: "book" }, async () => {
          const where = await turn.ask(askFor(`Where to, ${index}?`));
          if (where.outcome !== "accepted") return where.outcome;
          const city = String(where.content["city"]);
          await turn.runner.step("book", async () => void (done[turn.id] ??= []).push(`${index} ${city}`));
          const back = await turn.ask(askFor(`And back, ${index}?`));
          return `${city} ${back.outcome}`;
        }),
      ),
    );
    yield* text(JSON.stringify(results));
  };
  async function startProcess() {
    const network = await createSqlProxy(url);
    let ahead = 0;
    const process = await processes.startProcess(runTurn, {
      parkAfterMs: PARK_AFTER_MS,
      connectionString: network.url,
      sweepMs: 100,
      retryForMs: 300,
      withPorts: (ports) => ({
        ...ports,
        clock: { now: () => ports.clock.now() + ahead, after: systemClock.after },
      }),
    });
    return {
      ...process,
      network,
      /** Expires requests while the clock of this process is ahead. */
      async expire(elicitationId: string): Promise<void> {
        ahead = 2 * TURNS_OUT;
        const reply = process.ada.fetch(`/run/api/elicitations/${elicitationId}`);
        ahead = 0;
        await reply;
      },
      /** The process comes back, finds that it has lost its turns, and ends. */
      async bury(): Promise<void> {
        network.open();
        await process.close();
      },
    };
  }
  return { startProcess, query, done };
}

/** The last text that a client saw. */
const said = ({ chunks }: ReadStream) =>
  chunks.flatMap(({ type, delta }) => (type === "text-delta" ? [String(delta)] : [])).join("");

test(
  "in any history of parked turns, answers and takeovers, each turn ends once and does its work once",
  { timeout: 7_200_000 },
  async () => {
    const { startProcess, query, done } = await setUp();
    const other = await startProcess();
    let home = await startProcess();
    let isKilled = false;
    let count = 0;
    const burials: Promise<void>[] = [];
    await fc.assert(
      fc.asyncProperty(history, async (happenings) => {
        count += 1;
        const conversation = `c${count}`;
        if (isKilled) {
          burials.push(home.bury());
          home = await startProcess();
          isKilled = false;
        }
        const stream = await home.ada.send(conversation);
        stream.done.catch(() => {});
        const requests = await Promise.all(
          Array.from({ length: CALLS }, (_, index) =>
            stream.request(0, ({ message }) => message === `Where to, ${index}?`),
          ),
        );
        const turnId = (await other.runtime.elicitations.get(requests[0]!.elicitationId))!.turnId;
        const shown = readStream(await other.ada.fetch(`/run/api/chat/${conversation}/stream`));
        /** Replies that claim to have ended a request, with their city. */
        const winners: { id: string; outcome: string; city: string | undefined }[] = [];
        let deaths = 0;

        await Promise.all(
          happenings.map(async ([what, where, ms]) => {
            await new Promise((resolve) => setTimeout(resolve, ms));
            const process = where === 0 ? home : other;
            const isCut = () => isKilled && where === 0;
            const { ada } = process;
            if (what.kind === "kill") {
              if (deaths >= KILLS) return;
              deaths += 1;
              isKilled = true;
              home.network.cut();
            } else if (what.kind === "lose lock") {
              if (deaths >= KILLS) return;
              deaths += 1;
              await query(
                `select pg_terminate_backend(l.pid) from pg_locks l join elicit_kit.runs r
                   on (l.classid::bigint << 32 | l.objid::bigint) = r.process
                 where l.locktype = 'advisory' and l.objsubid = 1 and r.turn_id = $1`,
                [turnId],
              );
            } else if (what.kind === "wake") {
              await process.runner.wake(turnId).catch((error: unknown) => {
                if (!isCut()) throw error;
              });
            } else if (what.kind === "stop") {
              await ada.fetch(`/run/api/chat/${conversation}/stop`, { method: "POST" });
            } else if (what.kind === "message") {
              await (await ada.send(conversation)).cancel();
            } else if (what.kind === "read") {
              await (await ada.fetch(`/run/api/chat/${conversation}/stream`)).body?.cancel();
            } else if (what.kind === "expire") {
              await process.expire(requests[what.call]!.elicitationId);
            } else if (what.kind === "answer" || what.kind === "decline") {
              const { elicitationId: id } = requests[what.call]!;
              const { city } = what;
              const action = what.kind === "answer" ? "accept" : what.kind;
              const response = await ada.answer(conversation, {
                elicitationId: id,
                action,
                ...(city !== undefined && { content: { city } }),
              });
              const { status } = response;
              // A process without its database reports that, and the user sends the answer again.
              if ((status === 500 || status === 503) && isCut()) return;
              expect([200, 404, 409, 410]).toContain(status);
              const body = await response.json();
              if (status === 200 && body.alreadyProcessed !== true) {
                winners.push({ id, outcome: body.outcome, city });
              }
            }
          }),
        );

        const isStopped = happenings.some(([{ kind }]) => kind === "stop" || kind === "message");
        // The user answers the remaining requests.
        const ended = new AbortController();
        void shown.done.finally(() => ended.abort());
        const giveUpAt = performance.now() + patience.expect.poll.timeout;
        while (!ended.signal.aborted) {
          if (performance.now() > giveUpAt) {
            const { rows } = await query(
              "select turn_id, process, run, deaths, stop_reason from elicit_kit.runs",
            );
            throw new Error(
              `a turn has not ended: ${JSON.stringify({ turnId, rows, chunks: shown.chunks })}`,
            );
          }
          for (const { turnId: id, request } of await other.runtime.elicitations.listOpen(
            conversation,
            "ada",
          )) {
            if (id !== turnId) continue;
            await other.ada.answer(conversation, { elicitationId: request.elicitationId, action: "decline" });
          }
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        await other.ada.fetch(`/run/api/chat/${conversation}/stop`, { method: "POST" });

        const types = shown.chunks.map(({ type }) => type);
        expect(types.filter((type) => type === "start")).toHaveLength(1);
        expect(types.filter((type) => type === "finish" || type === "abort")).toHaveLength(1);
        expect(types).not.toContain("error");
        if (!isStopped) expect(types.at(-1)).toBe("finish");

        const ends = endsIn(shown);
        const told: string[] = types.includes("finish") ? JSON.parse(said(shown)) : [];
        // An agent does not continue after a stop.
        expect(said(shown)).not.toContain("withdrawn");
        for (const [index, { elicitationId }] of requests.entries()) {
          const record = await other.runtime.elicitations.get(elicitationId);
          const won = winners.filter(({ id }) => id === elicitationId);
          expect(won.length).toBeLessThanOrEqual(1);
          expect(won.map(({ outcome }) => outcome)).toEqual(won.map(() => record?.status));
          expect(ends.get(elicitationId)).toEqual([record?.status]);
          const effects = (done[turnId] ?? []).filter((effect) => effect.startsWith(`${index} `));
          // A death between an effect and its record repeats the effect.
          expect(new Set(effects).size).toBeLessThanOrEqual(1);
          expect(effects.length).toBeLessThanOrEqual(1 + deaths);
          if (won[0]?.city !== undefined && effects[0] !== undefined) {
            expect(effects[0]).toBe(`${index} ${won[0].city}`);
          }
          if (told.length === 0) continue;
          if (record?.status === "accepted") {
            expect(effects.length).toBeGreaterThan(0);
            expect(`${index} ${told[index]}`.startsWith(effects[0]!)).toBe(true);
          } else {
            expect(told[index]).toBe(record?.status);
            expect(effects).toEqual([]);
          }
        }
        expect([...ends.values()].filter((each) => each.length !== 1)).toEqual([]);
        // A stop that comes too late leaves a row without a process, which is deleted with the log.
        const left = async () => (await query("select from elicit_kit.runs where process <> 0")).rows.length;
        await expect.poll(left).toBe(0);
        expect(await other.runtime.elicitations.listOpen(conversation, "ada")).toEqual([]);
        expect(other.errors()).toEqual([]);
        if (!isKilled) expect(home.errors()).toEqual([]);
      }),
      { numRuns },
    );
    await Promise.all([...burials, home.bury()]);
  },
);
