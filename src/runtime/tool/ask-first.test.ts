import { expect, test, vi } from "vitest";
import { z } from "zod";
import type { FormQuestion } from "../ask/question.ts";
import type { ElicitationResult } from "../internal.ts";
import { askFirst } from "./ask-first.ts";
import { createElicitor } from "./elicitor.ts";

const inputSchema = z.object({
  order: z.string(),
  cents: z.int().meta({ title: "Amount in cents" }),
  apiKey: z.string().optional(),
  address: z.object({ city: z.string(), floors: z.array(z.int()) }).optional(),
});
const INPUT = { order: "A-17", cents: 4200 };

function setUp(result: ElicitationResult, options: Parameters<typeof askFirst>[1] = {}, more: object = {}) {
  const asked: FormQuestion[] = [];
  const execute = vi.fn<(input: z.infer<typeof inputSchema>, call: object) => Promise<unknown>>(
    async () => "Refunded.",
  );
  const tool = { title: "Refund an order", inputSchema, execute, ...more };
  const turn = {
    async ask(question: unknown) {
      asked.push(question as FormQuestion);
      return result;
    },
  };
  const elicitor = (toolCallId: string) => createElicitor({ turn, tool: "refund", toolCallId });
  const { execute: run } = askFirst(tool, options as never)({ elicitor });
  return { asked, execute, run };
}

const CALL = { toolCallId: "call-1" };

test("the user reads the tool's title and its arguments, and the tool runs with them", async () => {
  const { asked, execute, run } = setUp({ outcome: "accepted", content: {} });
  await expect(run(INPUT, CALL)).resolves.toBe("Refunded.");
  expect(execute.mock.calls[0]?.[0]).toBe(INPUT);
  expect(asked[0]).toMatchObject({
    message: "Refund an order\n\nOrder: A-17\nAmount in cents: 4200",
    requestedSchema: { properties: {} },
    context: {
      review: {
        subject: "Refund an order",
        rows: [
          { label: "Order", value: "A-17" },
          { label: "Amount in cents", value: "4200" },
        ],
      },
    },
  });
});

test("nested values have a row each, and a secret shows nothing of itself", async () => {
  const { asked, run } = setUp({ outcome: "accepted", content: {} });
  await run({ ...INPUT, apiKey: "sk-secret", address: { city: "Lisbon", floors: [1, 2] } }, CALL);
  expect(JSON.stringify(asked)).not.toContain("sk-secret");
  expect(asked[0]?.message).toContain("Api key: ••••••\nAddress · City: Lisbon\nAddress · Floors: 1, 2");
});

test("text that shows nothing is written out, so that the user sees what would run", async () => {
  const { asked, run } = setUp({ outcome: "accepted", content: {} });
  await run({ ...INPUT, order: "A\u202e71-\u200b" }, CALL);
  expect(asked[0]?.message).toContain("Order: A\\u{202e}71-\\u{200b}");
});

test.each([
  ["declines", { outcome: "declined" }, /The user declined\. Do not try the same again/],
  ["declines and says why", { outcome: "declined", note: "only 30 €" }, /own words: "only 30 €"/],
  ["dismisses the card", { outcome: "cancelled" }, /dismissed/],
  ["does not answer", { outcome: "expired", afterMs: 600_000 }, /10 minutes\. Silence is no approval/],
  ["cannot be asked", { outcome: "unsupported" }, /this chat cannot ask/],
] as const)("when the user %s, the tool does not run and the model reads why", async (_, result, text) => {
  const { execute, run } = setUp(result);
  await expect(run(INPUT, CALL)).rejects.toThrow(text);
  expect(execute).not.toHaveBeenCalled();
});

test("the user changes an argument: the tool runs with it, and the model reads what was changed", async () => {
  const { asked, execute, run } = setUp(
    { outcome: "accepted", content: { cents: 3000 } },
    { edit: ["cents"] as never },
  );
  const output = await run(INPUT, CALL);
  expect(asked[0]?.requestedSchema).toMatchObject({
    properties: { cents: { type: "integer", title: "Amount in cents", default: 4200 } },
    required: ["cents"],
  });
  expect(execute.mock.calls[0]?.[0]).toEqual({ order: "A-17", cents: 3000 });
  expect(output).toBe(
    'Refunded.\n\nBefore approving, the user changed: {"cents":{"proposed":4200,"approved":3000}}',
  );
});

test("an output that is an object keeps its members, and toModelOutput passes the changes on", async () => {
  const toModelOutput = ({ output }: { output: { id: number } }) => ({
    type: "text",
    value: `Refund ${output.id}`,
  });
  const { execute, run } = setUp(
    { outcome: "accepted", content: { cents: 3000 } },
    { edit: ["cents"] as never },
  );
  execute.mockResolvedValueOnce({ id: 7 });
  const output = await run(INPUT, CALL);
  const changes = { cents: { proposed: 4200, approved: 3000 } };
  expect(output).toEqual({ id: 7, changedByUser: changes });
  const tool = { inputSchema, execute: async () => ({ id: 7 }), toModelOutput };
  const wrapped = askFirst(tool)({ elicitor: () => expect.fail() });
  await expect(
    Reflect.apply(wrapped.toModelOutput, wrapped, [{ toolCallId: "call-1", output }]),
  ).resolves.toEqual({
    type: "text",
    value: `Refund 7\n\nBefore approving, the user changed: ${JSON.stringify(changes)}`,
  });
});

test("a call that needs no approval runs at once", async () => {
  const when = ({ cents }: { cents: number }) => cents > 10_000;
  const { asked, run } = setUp({ outcome: "declined" }, { when });
  await expect(run(INPUT, CALL)).resolves.toBe("Refunded.");
  expect(asked).toEqual([]);
});

test("two calls with different arguments are different questions: a decline of one does not decline the other", async () => {
  const { asked, run } = setUp({ outcome: "accepted", content: {} });
  await run(INPUT, CALL);
  await run({ ...INPUT, cents: 1 }, CALL);
  await run({ ...INPUT, apiKey: "a" }, CALL);
  await run({ ...INPUT, apiKey: "b" }, CALL);
  expect(new Set(asked.map(({ tool }) => tool?.id)).size).toBe(4);
});

test.each([
  ["a link in letters that the field refuses", { url: "https://de.wikipedia.org/wiki/München" }],
  ["an option that the field does not have", { days: ["mon", "fri"] }],
  ["a number above the field's limit", { guests: 12 }],
])("the user reads %s, and an approval keeps it", async (_, input) => {
  const properties = {
    url: { type: "string", format: "uri" },
    days: { type: "array", items: { type: "string", enum: ["mon", "tue"] } },
    guests: { type: "integer", maximum: 9 },
  };
  const { asked, execute, run } = setUp(
    { outcome: "accepted", content: {} },
    { edit: ["url", "days", "guests"] as never },
    { inputSchema: { jsonSchema: { type: "object", properties } } },
  );
  await expect(run(input as never, CALL)).resolves.toBe("Refunded.");
  const [said] = Object.values(input).flat().slice(-1);
  expect(asked[0]?.message).toContain(String(said));
  expect(execute.mock.calls[0]?.[0]).toEqual(input);
});

test("the user can fill in an argument that the agent has left empty, or leave it so", async () => {
  const nullable = z.object({ order: z.string(), note: z.string().nullable() });
  const input = { order: "A-17", note: null };
  const { asked, execute, run } = setUp(
    { outcome: "accepted", content: {} },
    { edit: ["note"] as never },
    { inputSchema: nullable },
  );
  await expect(run(input as never, CALL)).resolves.toBe("Refunded.");
  expect(asked[0]?.requestedSchema).toEqual({
    type: "object",
    properties: { note: { title: "Note", type: "string" } },
    required: [],
  });
  expect(execute.mock.calls[0]?.[0]).toEqual(input);
});

test("a secret cannot be edited in a chat", async () => {
  const { execute, run } = setUp({ outcome: "accepted", content: {} }, { edit: ["apiKey"] as never });
  await expect(run(INPUT, CALL)).rejects.toThrow('elicit-kit: "apiKey" is a secret');
  expect(execute).not.toHaveBeenCalled();
});

test("a long draft is in the message as far as it fits, and the user reads how much is missing", async () => {
  const { asked, run } = setUp({ outcome: "accepted", content: {} });
  await run({ ...INPUT, order: "x".repeat(30_000) }, CALL);
  expect(asked[0]?.message.length).toBeLessThan(8192);
  expect(asked[0]?.message).toMatch(/… \(\d+ more characters\)/);
  expect(asked[0]?.context?.["review"]).toMatchObject({ rows: [{ more: 10_000 }, {}] });
});
