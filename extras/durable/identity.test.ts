/** These tests check which answer or result each question or step gets when its turn runs again. */
import { expect, test } from "vitest";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import { type Elicited, type Elicitor, type Turn, createElicitor } from "../../src/runtime/index.ts";
import { createDurableProcesses } from "../../test/stages/durable-processes.ts";
import { text } from "../../test/stages/test-runtime.ts";

const CITIES = ["Rome", "Oslo", "Lima"] as const;

/**
 * Two processes whose agent calls one tool. The turn is parked whenever it only waits, so each answer starts another run.
 */
async function setUp(tool: (turn: Turn, elicitor: Elicitor) => Promise<string>) {
  const { startProcess, parked } = await createDurableProcesses();
  async function start() {
    return startProcess(
      async function* run(turn) {
        yield { type: "start", messageId: turn.id };
        const elicitor = createElicitor({ turn, tool: "trip", toolCallId: "call" });
        yield* text(
          await turn.runner.tool({ id: `${turn.id}/call`, name: "trip" }, () => tool(turn, elicitor)),
        );
      },
      { parkAfterMs: 20 },
    );
  }
  const [first, second] = [await start(), await start()];
  const stream = await first.ada.send("c1");
  const seen = new Set<string>();
  let answers = 0;
  /** The next question with this message. */
  async function next(message: string): Promise<ElicitationRequest> {
    const isNext = (asked: ElicitationRequest) => asked.message === message && !seen.has(asked.elicitationId);
    const request = await stream.request(0, isNext);
    seen.add(request.elicitationId);
    return request;
  }
  /** Answers a question, or the next one with this message. The two processes take turns. */
  async function answer(asked: string | ElicitationRequest, content: string): Promise<void> {
    const request = typeof asked === "string" ? await next(asked) : asked;
    await expect.poll(parked).toBe(1);
    answers += 1;
    const { ada } = answers % 2 === 0 ? first : second;
    const reply = await ada.answer("c1", { ...request, action: "accept", content: { answer: content } });
    expect(reply.status).toBe(200);
  }
  return {
    answer,
    complete: async ({ elicitationId }: ElicitationRequest) => {
      await expect.poll(parked).toBe(1);
      await second.runtime.elicitations.complete(elicitationId);
    },
    next,
    stream,
    errors: () => [...first.errors(), ...second.errors()],
    said: () => stream.chunks.find(({ type }) => type === "text-delta")?.["delta"],
  };
}

const valueOf = <T>(asked: Elicited<T>) =>
  asked.outcome === "accepted" ? String(asked.value) : asked.outcome;

test("branches that ask and book at the same time each use their own answers, in whatever order the answers come", async () => {
  const booked: string[] = [];
  const { answer, stream, said, errors } = await setUp(async (turn, elicitor) => {
    const trips = CITIES.map(async (city) => {
      const who = valueOf(await elicitor.text(`Who goes to ${city}?`));
      const hotel = valueOf(await elicitor.text(`Which hotel in ${city}?`));
      return turn.runner.step(
        "book",
        async () => {
          booked.push(`${city} ${who} ${hotel}`);
          return `${city} ${who} ${hotel}`;
        },
        { key: city },
      );
    });
    return (await Promise.all(trips)).join();
  });
  for (const city of CITIES.toReversed()) await answer(`Who goes to ${city}?`, `guest of ${city}`);
  for (const city of ["Oslo", "Rome", "Lima"]) await answer(`Which hotel in ${city}?`, `hotel of ${city}`);
  await stream.done;
  const trips = CITIES.map((city) => `${city} guest of ${city} hotel of ${city}`);
  expect(said()).toBe(trips.join());
  expect(booked.toSorted()).toEqual(trips.toSorted());
  expect(errors()).toEqual([]);
});

test("equal questions that are asked in parallel are distinguished by their keys", async () => {
  const { answer, next, stream, said, errors } = await setUp(async (_, elicitor) => {
    const guests = CITIES.map(async (key) => {
      const ask = elicitor.text(key === "Rome" ? "Who goes first?" : `Who goes to ${key}?`, { key });
      return `${key} ${valueOf(await ask)} ${valueOf(await elicitor.text("Which class?", { key: `${key} class` }))}`;
    });
    return (await Promise.all(guests)).join();
  });
  await answer("Who goes to Oslo?", "guest of Oslo");
  const oslo = await next("Which class?");
  await answer("Who goes to Lima?", "guest of Lima");
  const lima = await next("Which class?");
  await answer(lima, "of Lima");
  await answer(oslo, "of Oslo");
  await answer("Who goes first?", "guest of Rome");
  await answer("Which class?", "of Rome");
  await stream.done;
  expect(said()).toBe(CITIES.map((city) => `${city} guest of ${city} of ${city}`).join());
  expect(errors()).toEqual([]);
});

test("a question that is asked again after its answer is a new question, and each uses its own answer", async () => {
  const { answer, stream, said, errors } = await setUp(async (_, elicitor) => {
    const names: string[] = [];
    while (names.length < 3) names.push(valueOf(await elicitor.text("Who else?")));
    return names.join();
  });
  for (const name of ["Ada", "Bob", "Eve"]) await answer("Who else?", name);
  await stream.done;
  expect(said()).toBe("Ada,Bob,Eve");
  expect(errors()).toEqual([]);
});

test("a question whose text differs when the turn runs again ends the turn, and the error names both fixes", async () => {
  let time = 0;
  const { answer, stream, errors } = await setUp(async (_, elicitor) => {
    time += 1;
    return valueOf(await elicitor.text(`It is ${time} o'clock. Who goes?`));
  });
  await answer("It is 1 o'clock. Who goes?", "Ada");
  await stream.done;
  expect(stream.chunks.at(-1)).toMatchObject({
    type: "error",
    errorText: expect.stringContaining("was updated while"),
  });
  const [error] = errors();
  expect(String(error)).toMatch(
    /words a question differently.*form\(message, schema, \{ key \}\).*step\(name, run\)/,
  );
});

test.each(["a key", "its value from a step"])(
  "a question whose text differs when the turn runs again continues with %s",
  async (way) => {
    let time = 0;
    const { answer, stream, said, errors } = await setUp(async (turn, elicitor) => {
      const now = async () => (time += 1);
      return way === "a key"
        ? valueOf(await elicitor.text(`It is ${await now()} o'clock. Who goes?`, { key: "who" }))
        : valueOf(await elicitor.text(`It is ${await turn.runner.step("now", now)} o'clock. Who goes?`));
    });
    await answer("It is 1 o'clock. Who goes?", "Ada");
    await stream.done;
    expect(said()).toBe("Ada");
    expect(errors()).toEqual([]);
  },
);

test("when an update of the code changes the URL of a question, the answer to the first URL is not used for the second", async () => {
  const pay = (elicitor: Elicitor, amount: string) =>
    elicitor.url(`Pay ${amount}`, {
      url: (id) => `https://pay.example.com/${id}`,
      service: "Pay",
      purpose: "pay",
    });
  let isUpdated = false;
  const { next, stream, said, errors, complete } = await setUp(async (_, elicitor) => {
    if (isUpdated) return (await pay(elicitor, "1,000 €")).outcome;
    const first = await pay(elicitor, "10 €");
    return `${first.outcome} ${(await pay(elicitor, "20 €")).outcome}`;
  });
  const first = await next("Pay 10 €");
  isUpdated = true;
  await complete(first);
  await stream.done;
  expect(said()).toBeUndefined();
  expect(stream.chunks.at(-1)).toMatchObject({ type: "error" });
  expect(errors().join()).toContain("words a question differently");
});
