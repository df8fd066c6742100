import { expect, test } from "vitest";
import { CITY, CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

const { signal } = new AbortController();
const ADA = { turnId: "t1", conversationId: "c1", user: { id: "ada" }, signal };
const MINUTE_MS = 60_000;

test.for([
  ["turn", { ...ADA, turnId: "t2" }],
  ["user", { ...ADA, user: { id: "eve" } }],
] as const)(
  "a question under the id of another %s is an error, and that one stays open",
  async ([, scope]) => {
    const runtime = createTestRuntime(asking(CITY));
    const asked = runtime.ask(ADA, { ...CITY, elicitationId: "e1" });
    await expect.poll(() => runtime.elicitations.get("e1")).toBeDefined();
    await expect(runtime.ask(scope, { ...CITY, elicitationId: "e1" })).rejects.toThrow(
      "elicit-kit: another turn already uses this elicitationId.",
    );
    const [open] = await runtime.elicitations.listOpen("c1", "ada");
    expect(open).toMatchObject({ user: { id: "ada" }, turnId: "t1", status: "pending" });
    await runtime.close();
    expect(await asked).toEqual({ outcome: "withdrawn" });
  },
);

test("an answer is used for the question of its own user only", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const asked = runtime.ask(ADA, { ...CITY, elicitationId: "e1" });
  await expect.poll(() => runtime.elicitations.get("e1")).toBeDefined();
  const content = { city: "Rome" };
  const answer = { elicitationId: "e1", conversationId: "c1", action: "accept", content } as const;
  await runtime.elicitations.answer(answer, "ada");
  expect(await asked).toMatchObject({ outcome: "accepted", content });
  const eves = { ...ADA, user: { id: "eve" } };
  await expect(runtime.ask(eves, { ...CITY, elicitationId: "e1" })).rejects.toThrow(
    "elicit-kit: another turn already uses this elicitationId.",
  );
});

test.for([
  [5, 120],
  [60, 660],
  [1_199, 13_189],
  [1_200, 1_200],
] as const)("a time of %s minutes can be extended to %s minutes", async ([minutes, longest]) => {
  const runtime = createTestRuntime(asking(CITY));
  const asked = runtime.ask(ADA, { ...CITY, elicitationId: "e1", expiresInMs: minutes * MINUTE_MS });
  await expect.poll(() => runtime.elicitations.get("e1")).toBeDefined();
  const record = await runtime.elicitations.get("e1");
  const until = Date.parse(record?.request.extendableUntil ?? record?.request.expiresAt ?? "");
  expect(until - (record?.createdAt ?? 0)).toBe(longest * MINUTE_MS);
  await runtime.close();
  await asked;
});

test("the record of a page keeps where to sign in, and clients do not get it", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const signIn = { url: "https://mcp.example.com", service: "Tracker" };
  const questions = [
    { ...CONNECT, elicitationId: "e1", signIn },
    { ...CONNECT, elicitationId: "e2", url: "https://pay.example.com/" },
    { ...CITY, elicitationId: "e3" },
  ];
  const asked = questions.map((question) => runtime.ask(ADA, question));
  await expect.poll(() => runtime.elicitations.listOpen("c1", "ada")).toHaveLength(3);
  const records = await runtime.elicitations.listOpen("c1", "ada");
  expect(records.map((record) => ["signIn" in record, "signIn" in record.request])).toEqual([
    [true, false],
    [false, false],
    [false, false],
  ]);
  await runtime.close();
  await Promise.all(asked);
});
