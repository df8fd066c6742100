import fc from "fast-check";
import { expect, test } from "vitest";
import { type ElicitationResult, type RunTurn, systemClock } from "../../src/runtime/core/index.ts";
import { type ReadStream, createChatClient } from "../../src/runtime/testing/chat-client.ts";
import { createTestDatabase, startPorts } from "../../src/runtime/testing/postgres-database.ts";
import { CITY, createTestRuntime, text } from "../../src/runtime/testing/test-runtime.ts";

const numRuns = Number(process.env["FC_RUNS"] ?? 40);
const QUESTIONS = 3;
const TURNS_OUT = 600_000;

/** One thing that happens to a turn with three open questions, in one of the processes. */
type Happening =
  | { readonly kind: "answer"; readonly question: number; readonly city: string }
  | { readonly kind: "decline" | "cancel" | "expire"; readonly question: number; readonly city?: undefined }
  | { readonly kind: "stop" | "message" | "read" };

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
    arbitrary: fc.record({ kind: fc.constantFrom("stop" as const, "message" as const, "read" as const) }),
  },
);
/** When it happens: in which process, after how many turns of the event loop. */
const history = fc.array(fc.tuple(happening, fc.nat(1), fc.nat(30)), { minLength: 1, maxLength: 8 });

/** Two processes, with an agent that asks three questions at once and tells how they ended. */
async function setUp() {
  const { url } = await createTestDatabase();
  /** How the questions of each turn ended, as its agent was told. */
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
  const processes = await Promise.all(
    [0, 1].map(async () => {
      const ports = await startPorts(url, { openPerPerson: 1_000_000 });
      // A process whose clock can run ahead: then it ends what looks expired to it.
      let ahead = 0;
      const clock = { now: () => ports.clock.now() + ahead, after: systemClock.after };
      const runtime = createTestRuntime(runTurn, {
        ...ports,
        clock,
        writesPerMinute: 1e9,
        maxOpen: { perPerson: 1e9 },
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
      };
    }),
  );
  return { processes, results };
}

/** What a client saw of the end of each request. */
function endsIn(stream: ReadStream): Map<string, string[]> {
  const ends = new Map<string, string[]>();
  for (const { type, id, data } of stream.chunks) {
    if (type !== "data-elicitation-request") continue;
    const { resolution } = data as { resolution?: { outcome: string } };
    if (resolution !== undefined) ends.set(String(id), [...(ends.get(String(id)) ?? []), resolution.outcome]);
  }
  return ends;
}

test(
  "whatever happens at once in two processes, each request ends once, and all agree on how",
  { timeout: 3_600_000 },
  async () => {
    const { processes, results } = await setUp();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(history, async (happenings) => {
        count += 1;
        const conversation = `c${count}`;
        const [home] = processes;
        const stream = await home!.ada.send(conversation);
        const requests = await Promise.all(
          Array.from({ length: QUESTIONS }, (_, index) =>
            stream.request(0, ({ message }) => message === `Where to, ${index}?`),
          ),
        );
        const turnId = (await home!.runtime.elicitations.get(requests[0]!.elicitationId))!.turnId;
        /** Replies that claim to have ended a request, with the city that they carried. */
        const winners: { id: string; outcome: string; city: string | undefined }[] = [];

        await Promise.all(
          happenings.map(async ([what, where, ticks]) => {
            for (let tick = 0; tick < ticks; tick += 1) await new Promise((resolve) => setImmediate(resolve));
            const { ada, expire } = processes[where]!;
            if (!("question" in what)) {
              if (what.kind === "stop")
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
              expect([200, 404, 409, 410]).toContain(response.status);
              const body = await response.json();
              if (response.status === 200 && body.alreadyProcessed !== true) {
                winners.push({ id, outcome: body.outcome, city });
              }
            }
          }),
        );
        const isStopped = happenings.some(([{ kind }]) => kind === "stop" || kind === "message");
        const open = await processes[1]!.runtime.elicitations.listOpen(conversation, "ada");
        // The person leaves, unless all is answered and the turn goes on by itself.
        if (isStopped || open.length > 0) {
          for (const { ada } of processes)
            await ada.fetch(`/run/api/chat/${conversation}/stop`, { method: "POST" });
        }
        await stream.done;

        const ends = endsIn(stream);
        for (const [index, { elicitationId }] of requests.entries()) {
          const record = await processes[1]!.runtime.elicitations.get(elicitationId);
          const won = winners.filter(({ id }) => id === elicitationId);
          expect(won.length).toBeLessThanOrEqual(1);
          expect(won.map(({ outcome }) => outcome)).toEqual(won.map(() => record?.status));
          expect(ends.get(elicitationId)).toEqual([record?.status]);
          const told = results[turnId]?.[index];
          // A turn that is stopped does not wait for an answer that is on its way.
          if (open.length === 0 && !isStopped) expect(told?.outcome).toBe(record?.status);
          else if (told?.outcome !== "withdrawn")
            expect(told?.outcome ?? record?.status).toBe(record?.status);
          if (told?.outcome === "accepted") expect(told.content).toEqual({ city: won[0]?.city });
        }
        expect(await processes[1]!.runtime.elicitations.listOpen(conversation, "ada")).toEqual([]);
        expect(processes.flatMap(({ runtime }) => runtime.errors.splice(0))).toEqual([]);
      }),
      { numRuns },
    );
  },
);
