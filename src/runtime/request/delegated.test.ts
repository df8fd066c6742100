/** Tests for "You decide", with which a user leaves a decision to the agent (contract, section 4). */
import { expect, test, vi } from "vitest";
import * as z from "zod";
import { type ReadStream, createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { createMemoryDecisionLog } from "../../../extras/audit/index.ts";
import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../contract/contract.ts";
import { parseElicitationRequest } from "../../contract/guard.ts";
import {
  type Elicitor,
  type FormQuestion,
  type RuntimeOptions,
  type Turn,
  createElicitor,
  createMemoryRecords,
} from "../index.ts";
import { createMemoryRemembered } from "../../features/remember/memory-remembered.ts";

const LISBON = { city: "Lisbon" };
const OFFER: FormQuestion = { ...CITY, fallback: LISBON, delegate: true };
const LEFT = { action: "accept", delegated: true };

/** A chat whose turns ask in this way. */
function chat(use: (turn: Turn) => Promise<unknown>, options: Partial<RuntimeOptions> = {}) {
  const results: unknown[] = [];
  const runtime = createTestRuntime(async function* (turn) {
    results.push(await use(turn));
    yield* text("done");
  }, options);
  const { send, fetch } = createChatClient(runtime.fetch, { user: "ada" });
  let conversations = 0;
  return {
    runtime,
    results,
    async ask() {
      const conversationId = `c${(conversations += 1)}`;
      const request = await firstRequest(await send(conversationId));
      const answer = (given: object) =>
        fetch("/run/api/elicitation-responses", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ conversationId, elicitationId: request.elicitationId, ...given }),
        });
      return { request, answer };
    },
  };
}

async function firstRequest({ chunks }: ReadStream): Promise<ElicitationRequest> {
  return vi.waitFor(() => {
    const parsed = parseElicitationRequest(chunks.find(({ type }) => type === REQUEST_PART_TYPE)?.["data"]);
    if (!parsed.ok) throw new Error("nothing was asked");
    return parsed.value;
  });
}

const tool = (turn: Turn): Elicitor => createElicitor({ turn, tool: "t", toolCallId: "call" });

test("a user leaves the decision to the agent: the tool gets its fallback, and the record and the log say so", async () => {
  const log = createMemoryDecisionLog();
  const records = log.watch(createMemoryRecords());
  const { ask, results, runtime } = chat((turn) => turn.ask(OFFER), { ports: { records } });
  const { request, answer } = await ask();
  expect(request.delegate).toBe(true);
  expect(JSON.stringify(request)).not.toContain("Lisbon");
  expect(await (await answer(LEFT)).json()).toMatchObject({ success: true, outcome: "accepted" });
  await expect.poll(() => results).toEqual([{ outcome: "accepted", content: LISBON, delegated: true }]);
  const record = await runtime.elicitations.get(request.elicitationId);
  expect(record).toMatchObject({ status: "accepted", delegated: true });
  expect(JSON.stringify(record)).not.toContain("Lisbon");
  const [, row] = await log.read({ limit: 10 });
  expect(row).toMatchObject({ event: "accepted", by: "ada", through: "chat", delegated: true });
});

test("the same answer again counts once, and an answer with content is another one", async () => {
  const { ask } = chat((turn) => turn.ask(OFFER));
  const first = await ask();
  await first.answer(LEFT);
  expect(await (await first.answer(LEFT)).json()).toMatchObject({ alreadyProcessed: true });
  const reply = await first.answer({ action: "accept", content: LISBON });
  expect(await reply.json()).toMatchObject({ status: 409, code: "content-differs" });
  const second = await ask();
  await second.answer({ action: "accept", content: LISBON });
  expect(await (await second.answer(LEFT)).json()).toMatchObject({ code: "content-differs" });
});

test("the server refuses it with content, with remember and with a no, and where it was not offered", async () => {
  const { ask } = chat((turn) => turn.ask(OFFER));
  const { answer } = await ask();
  for (const given of [
    { ...LEFT, content: LISBON },
    { ...LEFT, content: {} },
    { ...LEFT, remember: true },
    { ...LEFT, delegated: false },
    { action: "decline", delegated: true },
    { action: "cancel", delegated: true },
  ]) {
    expect((await answer(given)).status).toBe(400);
  }
  expect((await answer(LEFT)).status).toBe(200);
  const plain = await chat((turn) => turn.ask({ ...CITY, fallback: LISBON })).ask();
  expect(plain.request).not.toHaveProperty("delegate");
  const refused = await plain.answer(LEFT);
  expect(await refused.json()).toMatchObject({
    status: 400,
    detail: "This request has no `delegate`, so its user decides. It is still open.",
  });
  const page = await chat((turn) =>
    turn.ask({ mode: "url", message: "Pay.", url: "https://pay.example" }),
  ).ask();
  expect((await page.answer(LEFT)).status).toBe(400);
});

test("a remembered answer is used as before, and a decision left to the agent is never remembered", async () => {
  const question = { ...OFFER, remember: true } as const;
  const { ask, results } = chat((turn) => turn.ask(question), {
    ports: { remembered: createMemoryRemembered() },
  });
  await (await ask()).answer(LEFT);
  const second = await ask();
  expect(second.request.resolution).toBeUndefined();
  await second.answer({ action: "accept", content: { city: "Rome" }, remember: true });
  expect((await ask()).request.resolution?.remembered).toBeDefined();
  await expect.poll(() => results).toHaveLength(3);
  expect(results[2]).toEqual({ outcome: "accepted", content: { city: "Rome" } });
});

const SIZES = ["small", "large"] as const;
const methods: readonly (readonly [string, (ask: Elicitor) => Promise<unknown>, unknown])[] = [
  ["choose", (ask) => ask.choose("Size?", SIZES, { fallback: "small", delegate: true }), "small"],
  ["confirm", (ask) => ask.confirm("Gift?", { fallback: false, delegate: true }), false],
  ["number", (ask) => ask.number("How many?", { fallback: 2, delegate: true }), 2],
  [
    "form",
    (ask) =>
      ask.form("Trip?", z.object({ nights: z.int().transform((n) => n * 2) }), {
        fallback: { nights: 3 },
        delegate: true,
      }),
    { nights: 6 },
  ],
];
for (const [name, use, value] of methods) {
  test(`${name} of the elicitor gives the fallback as its value, and says that the user left it to the agent`, async () => {
    const { ask, results } = chat((turn) => use(tool(turn)));
    await (await ask()).answer(LEFT);
    await expect.poll(() => results).toEqual([{ outcome: "accepted", value, delegated: true }]);
  });
}

const mistakes: readonly (readonly [string, (turn: Turn) => Promise<unknown>, string])[] = [
  [
    "is not one of the options",
    // A value of another language than TypeScript.
    (turn) => tool(turn).choose("Size?", SIZES as readonly string[], { fallback: "huge", delegate: true }),
    "The fallback does not fit its own question",
  ],
  [
    "fails a check of the schema",
    (turn) =>
      tool(turn).form("Trip?", z.object({ to: z.string().refine((to) => to !== "Rome") }), {
        fallback: { to: "Rome" },
        delegate: true,
      }),
    "The fallback does not pass the checks of its own schema",
  ],
  ["is missing", (turn) => turn.ask({ ...CITY, delegate: true }), "`delegate` needs a `fallback`"],
];
for (const [what, use, message] of mistakes) {
  test(`a question whose fallback ${what} is an error of its tool, and is not asked`, async () => {
    const { runtime, results } = chat((turn) => use(turn).catch((error: unknown) => error));
    await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
    await expect.poll(() => String(results)).toContain(`elicit-kit: ${message}`);
  });
}
