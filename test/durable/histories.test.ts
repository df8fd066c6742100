import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import type { ElicitationResult } from "../../src/runtime/internal.ts";
import { systemClock } from "../../src/base/clock.ts";
import { createPostgresPorts } from "../../extras/postgres/index.ts";
import { type ChatClient, createChatClient, readStream } from "../stages/chat-client.ts";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { CITY, type TestRuntime, createTestRuntime, text } from "../stages/test-runtime.ts";
import { endsIn } from "./ends-in.ts";

const numRuns = Number(process.env["FC_RUNS"] ?? 40);
const QUESTIONS = 3;
const TURNS_OUT = 600_000;

/** One event for a turn with three open questions, in one of the processes. */
type Happening =
  | { readonly kind: "answer"; readonly question: number; readonly city: string }
  | { readonly kind: "decline" | "cancel" | "expire"; readonly question: number; readonly city?: undefined }
  /** A kill hits the process that runs the turn. */
  | { readonly kind: "stop" | "message" | "read" | "kill" };

const question = fc.nat(QUESTIONS - 1);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("answer" as const),
      question,
      city: fc.constantFrom("Rome", "Oslo"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("decline" as const, "cancel" as const, "expire" as const),
      question,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("stop" as const, "message" as const, "read" as const, "kill" as const),
    }),
  },
);
/** When an event happens: in which process, and after how many turns of the event loop. */
const history = fc.array(fc.tuple(happening, fc.nat(1), fc.nat(30)), { minLength: 1, maxLength: 8 });

interface Process {
  readonly runtime: TestRuntime;
  readonly ada: ChatClient;
  /** Expires requests while the clock of this process is ahead. */
  expire(elicitationId: string): Promise<void>;
  /** Cuts the process off from the database permanently. It still runs, but has no effect. */
  kill(): void;
  close(): Promise<void>;
}

/** Starts processes with an agent that asks three parallel questions and reports their outcomes. */
async function setUp() {
  const { url } = await createTestDatabase();
  /** The outcomes of each turn's questions, as its agent got them. */
  const results: Record<string, readonly ElicitationResult[]> = {};
  const runTurn: RunTurn = async function* run(turn) {
    const asked = await Promise.all(
      Array.from({ length: QUESTIONS }, (_, index) =>
        turn.ask({ ...CITY, message: `Where to, ${index}?`, expiresInMs: TURNS_OUT }),
      ),
    );
    results[turn.id] = asked;
    yield* text("done");
  };
  async function startProcess(): Promise<Process> {
    const network = await createSqlProxy(url);
    const ports = await createPostgresPorts({
      connectionString: network.url,
      sweepMs: 100,
      retryForMs: 300,
      onError: () => {},
    });
    let ahead = 0;
    const clock = { now: () => ports.clock.now() + ahead, after: systemClock.after };
    const runtime = createTestRuntime(runTurn, {
      ports: { ...ports, clock },
      limits: { writesPerMinute: 1e9, open: { perPerson: 1e9 } },
    });
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    return {
      runtime,
      ada,
      async expire(elicitationId: string): Promise<void> {
        ahead = 2 * TURNS_OUT;
        const reply = ada.fetch(`/run/api/elicitations/${elicitationId}`);
        ahead = 0;
        await reply;
      },
      kill: () => network.cut(),
      async close() {
        await runtime.close();
        await ports.close();
      },
    };
  }
  return { startProcess, results };
}

test(
  "in any concurrent history of two processes, even if one dies, each request ends once, and all agree on the outcome",
  { timeout: 3_600_000, tags: ["long"] },
  async () => {
    const { startProcess, results } = await setUp();
    const other = await startProcess();
    let home = await startProcess();
    onTestFinished(async () => void (await Promise.all([home.close(), other.close()])));
    const closing: Promise<void>[] = [];
    let isKilled = false;
    let count = 0;
    await fc.assert(
      fc.asyncProperty(history, async (happenings) => {
        count += 1;
        const conversation = `c${count}`;
        if (isKilled) {
          closing.push(home.close());
          home = await startProcess();
          isKilled = false;
        }
        const stream = await home.ada.send(conversation);
        const requests = await Promise.all(
          Array.from({ length: QUESTIONS }, (_, index) =>
            stream.request(0, ({ message }) => message === `Where to, ${index}?`),
          ),
        );
        const turnId = (await other.runtime.elicitations.get(requests[0]!.elicitationId))!.turnId;
        const shown = readStream(await other.ada.fetch(`/run/api/chat/${conversation}/stream`));
        /** Replies that claim to have ended a request, with their city. */
        const winners: { id: string; outcome: string; city: string | undefined }[] = [];

        await Promise.all(
          happenings.map(async ([what, where, ticks]) => {
            for (let tick = 0; tick < ticks; tick += 1) await new Promise((resolve) => setImmediate(resolve));
            const { ada, expire } = where === 0 ? home : other;
            if (!("question" in what)) {
              if (what.kind === "kill") {
                isKilled = true;
                home.kill();
              } else if (what.kind === "stop")
                await ada.fetch(`/run/api/chat/${conversation}/stop`, { method: "POST" });
              else if (what.kind === "message") await (await ada.send(conversation)).cancel();
              else await (await ada.fetch(`/run/api/chat/${conversation}/stream`)).body?.cancel();
              return;
            }
            const { elicitationId: id } = requests[what.question]!;
            if (what.kind === "expire") await expire(id);
            else {
              const action = what.kind === "answer" ? "accept" : what.kind;
              const { city } = what;
              const response = await ada.answer(conversation, {
                elicitationId: id,
                action,
                ...(city !== undefined && { content: { city } }),
              });
              const { status } = response;
              // A process without its database reports that, and the user sends the answer again.
              if ((status === 500 || status === 503) && isKilled && where === 0) return;
              expect([200, 404, 409, 410]).toContain(status);
              const body = await response.json();
              if (status === 200 && body.alreadyProcessed !== true) {
                winners.push({ id, outcome: body.outcome, city });
              }
            }
          }),
        );
        const isStopped = happenings.some(([{ kind }]) => kind === "stop" || kind === "message");
        const open = await other.runtime.elicitations.listOpen(conversation, "ada");
        // The user leaves, unless all requests are answered and the turn continues by itself.
        if (isStopped || open.length > 0) {
          for (const { ada } of isKilled ? [other] : [home, other])
            await ada.fetch(`/run/api/chat/${conversation}/stop`, { method: "POST" });
        }
        await shown.done;
        if (!isKilled) {
          await stream.done;
          expect(shown.chunks).toEqual(stream.chunks);
        }

        const ends = endsIn(shown);
        for (const [index, { elicitationId }] of requests.entries()) {
          const record = await other.runtime.elicitations.get(elicitationId);
          const won = winners.filter(({ id }) => id === elicitationId);
          expect(won.length).toBeLessThanOrEqual(1);
          expect(won.map(({ outcome }) => outcome)).toEqual(won.map(() => record?.status));
          expect(ends.get(elicitationId)).toEqual([record?.status]);
          const told = results[turnId]?.[index];
          if (isKilled) continue;
          // A stopped turn does not wait for an answer that is being sent.
          if (open.length === 0 && !isStopped) expect(told?.outcome).toBe(record?.status);
          else if (told?.outcome !== "withdrawn")
            expect(told?.outcome ?? record?.status).toBe(record?.status);
          if (told?.outcome === "accepted") expect(told.content).toEqual({ city: won[0]?.city });
        }
        expect(await other.runtime.elicitations.listOpen(conversation, "ada")).toEqual([]);
        expect(other.runtime.errors.splice(0)).toEqual([]);
        if (!isKilled) expect(home.runtime.errors.splice(0)).toEqual([]);
      }),
      { numRuns },
    );
    await Promise.all(closing);
  },
);
