/** Tests with answers that no honest client sends: random keys and values for a round, and for a task. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { serveAgent } from "./agent.ts";
import { asksForCity } from "./turns.ts";
import { ASK, type WireReply, accept, roundOf, wireClient } from "./wire.ts";

/** Each run makes twenty parallel calls, because a call waits for its turn. */
const RUNS = { numRuns: Math.ceil(Number(process.env["FC_RUNS"] ?? 20) / 20) };
const AT_ONCE = { minLength: 20, maxLength: 20 };
const UNLIMITED = {
  runtime: { limits: { writesPerMinute: 1_000_000, turns: { perPerson: 1000 }, open: { perPerson: 1000 } } },
};
const TASKS = { elicitation: { form: {} }, extensions: { "io.modelcontextprotocol/tasks": {} } };
/** The codes for a request that the SDK or the kit cannot read. An internal error has another code. */
const REFUSALS = [-32_600, -32_602];

const json = fc.jsonValue({ maxDepth: 3 });
/** A value that resembles an answer. */
const answerLike = fc.record(
  {
    action: fc.oneof(fc.constantFrom("accept", "decline", "cancel", "Accept", "constructor"), json),
    content: fc.oneof(fc.dictionary(fc.constantFrom("answer", "__proto__", "x"), json), json),
    _meta: json,
  },
  { requiredKeys: [] },
);
/** `mine`: under the key of the question. */
const given = fc.record({
  mine: fc.option(fc.oneof(answerLike, json), { nil: undefined }),
  others: fc.array(
    fc.tuple(
      fc.oneof(fc.constantFrom("__proto__", "constructor", "", "toString"), fc.string()),
      fc.oneof(answerLike, json),
    ),
    { maxLength: 20 },
  ),
});

function responsesOf(
  { mine, others }: { mine: unknown; others: [string, unknown][] },
  key: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...others, ...(mine === undefined ? [] : [[key, mine] as const])]);
}

type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never;

const forAny = (check: (random: Given) => Promise<void>) =>
  fc.asyncProperty(fc.array(given, AT_ONCE), async (all) => void (await Promise.all(all.map(check))));

function expectNoFault({ status, error }: WireReply): void {
  expect(status).toBeLessThan(500);
  if (error !== undefined) expect(REFUSALS).toContain(error.code);
}

/** The agent got one of its possible results. */
function expectOutcome(text: string): void {
  const { outcome, value } = JSON.parse(text);
  expect(["accepted", "declined", "cancelled"]).toContain(outcome);
  if (outcome === "accepted") expect(value).toMatch(/^.{2,}$/s);
}

test("after any answers to a round, the question is repeated or its turn ends, and then a valid answer counts", async () => {
  const { url, errors } = await serveAgent(asksForCity, UNLIMITED);
  const client = wireClient(url);
  await fc.assert(
    forAny(async (random) => {
      const first = roundOf(await client.call(ASK));
      const inputResponses = responsesOf(random, first.key);
      const reply = await client.call({ ...ASK, inputResponses, requestState: first.requestState });
      expectNoFault(reply);
      if (reply.result?.resultType === "complete")
        return expectOutcome(reply.result.content[0]?.text ?? "{}");
      const { key, requestState } = reply.result === undefined ? first : roundOf(reply);
      const right = { [key]: accept("Oslo") };
      const { result } = await client.call({ ...ASK, inputResponses: right, requestState });
      expect(JSON.parse(result?.content[0]?.text ?? "")).toEqual({ outcome: "accepted", value: "Oslo" });
    }),
    RUNS,
  );
  expect(errors).toEqual([]);
});

test("after any tasks/update, the question is repeated or its turn ends, and then a valid answer counts", async () => {
  const { url, errors } = await serveAgent(asksForCity, UNLIMITED);
  const client = wireClient(url);
  const options = { capabilities: TASKS };
  await fc.assert(
    forAny(async (random) => {
      const started: unknown = (await client.call(ASK, options)).result;
      const { taskId } = started as { taskId: string };
      const read = async () => {
        const { result } = await client.request("tasks/get", { taskId }, options);
        const { status, inputRequests = {}, result: end } = result as unknown as TaskState;
        return { key: Object.keys(inputRequests)[0], status, text: end?.content[0]?.text };
      };
      const { key: first = "" } = await read();
      const inputResponses = responsesOf(random, first);
      expectNoFault(await client.request("tasks/update", { taskId, inputResponses }, options));
      const { key } = await read();
      if (key !== undefined) {
        const right = { [key]: accept("Oslo") };
        await client.request("tasks/update", { taskId, inputResponses: right }, options);
      }
      await expect.poll(async () => (await read()).status, { interval: 5 }).toBe("completed");
      const { text = "{}" } = await read();
      if (key === undefined) expectOutcome(text);
      else expect(JSON.parse(text)).toEqual({ outcome: "accepted", value: "Oslo" });
    }),
    RUNS,
  );
  expect(errors).toEqual([]);
});

interface TaskState {
  readonly status: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}
