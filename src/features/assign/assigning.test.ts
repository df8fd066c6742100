import { expect, test } from "vitest";
import { systemClock } from "../../base/clock.ts";
import type { ElicitationRequest, InboxPage } from "../../contract/contract.ts";
import { ASSIGN, FOR_ADA, stageAssigning } from "../../../test/stages/assigning.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { CITY, CONNECT, asking, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import {
  type FormQuestion,
  type WaitingNotice,
  createElicitor,
  createMemoryRecords,
} from "../../runtime/index.ts";
import { createMemoryRemembered } from "../remember/memory-remembered.ts";

const FOR_FINANCE: FormQuestion = { ...CITY, assignee: { group: "finance" } };

const ROME = { action: "accept", content: { city: "Rome" } };
const PARIS = { action: "accept", content: { city: "Paris" } };

/** The last state of a request on a stream. */
const lastOf = ({ chunks }: { chunks: readonly Readonly<Record<string, unknown>>[] }) =>
  chunks.findLast(({ type }) => type === "data-elicitation-request")?.["data"] as ElicitationRequest;

test("the card names the assignee, who answers in their inbox, and the turn continues", async () => {
  const { bo, ada, cy, runtime } = stageAssigning();
  const turn = await bo.send("c1");
  const { elicitationId, assignee, ...request } = await turn.request();
  expect(assignee).toEqual({ name: "ADA", takeBack: true });
  expect(await bo.inbox()).toEqual([]);
  expect(await cy.inbox()).toEqual([]);
  expect(await ada.inbox()).toEqual([
    {
      // The id does not reveal the conversation of Bo.
      conversationId: elicitationId,
      askedAt: expect.any(String),
      request: { ...request, elicitationId, from: { name: "Bo" } },
    },
  ]);
  expect((await ada.answer(elicitationId, { elicitationId, ...ROME })).status).toBe(200);
  await turn.done;
  expect(turn.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"accepted","content":{"city":"Rome"},"by":"ada"}' }),
  );
  expect(lastOf(turn).resolution).toMatchObject({ outcome: "accepted", by: "ADA" });
  expect(JSON.stringify(lastOf(turn))).not.toContain("Rome");
  expect(await ada.inbox()).toEqual([]);
  expect(runtime.errors).toEqual([]);
});

test("while another user decides, the user whose agent asks cannot answer, and once they have taken the question back only they can", async () => {
  const { bo, ada } = stageAssigning();
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  const early = await bo.answer("c1", { elicitationId, ...ROME });
  expect({ status: early.status, ...(await early.json()) }).toMatchObject({
    status: 409,
    code: "assigned",
    detail: "This request waits for somebody else: ADA.",
  });
  const taken = await bo.give(elicitationId, null);
  expect([taken.status, await taken.json()]).toEqual([200, { success: true, elicitationId }]);
  expect(await ada.inbox()).toEqual([]);
  expect((await ada.answer(elicitationId, { elicitationId, ...ROME })).status).toBe(404);
  expect((await bo.inbox()).map((item) => item.conversationId)).toEqual(["c1"]);
  await expect.poll(() => lastOf(turn).assignee).toBe(undefined);
  expect((await bo.answer("c1", { elicitationId, ...PARIS })).status).toBe(200);
  await turn.done;
  expect(JSON.stringify(turn.chunks)).toContain("Paris");
  expect(JSON.stringify(turn.chunks)).not.toContain('"by"');
});

test("the first answer from a group is taken, and the other members see who answered", async () => {
  const { bo, ada, cy, dan } = stageAssigning(FOR_FINANCE);
  const turn = await bo.send("c1");
  const { elicitationId, assignee } = await turn.request();
  expect(assignee?.name).toBe("The finance team");
  // Bo belongs to the group, but cannot decide his own question.
  expect([await bo.inbox(), await dan.inbox()]).toEqual([[], []]);
  expect((await dan.answer(elicitationId, { elicitationId, ...ROME })).status).toBe(404);
  expect((await bo.answer("c1", { elicitationId, ...ROME })).status).toBe(409);
  expect((await bo.answer(elicitationId, { elicitationId, ...ROME })).status).toBe(404);
  expect(await cy.inbox()).toHaveLength(1);
  const replies = await Promise.all(
    [ada, cy].map(async (member) => {
      const reply = await member.answer(elicitationId, { elicitationId, ...ROME });
      return [reply.status, await reply.json()] as const;
    }),
  );
  const [won, lost] = replies.toSorted(([a], [b]) => a - b);
  expect(won).toEqual([200, { success: true, elicitationId, outcome: "accepted" }]);
  await turn.done;
  const winner = lastOf(turn).resolution?.by ?? "";
  expect(["ADA", "CY"]).toContain(winner);
  expect(lost?.[1]).toMatchObject({
    status: 409,
    outcome: "accepted",
    detail: `This request has already ended by ${winner}: accepted.`,
  });
  // The user who answered may repeat the answer.
  const again = winner === "ADA" ? ada : cy;
  const repeated = await again.answer(elicitationId, { elicitationId, ...ROME });
  expect(await repeated.json()).toMatchObject({ alreadyProcessed: true });
});

test("an answer that was allowed when it was sent is refused after the request was reassigned", async () => {
  const memory = createMemoryRecords();
  let meanwhile: (() => Promise<unknown>) | undefined;
  const records = {
    ...memory,
    async compareAndSet(...[next, settlement]: Parameters<typeof memory.compareAndSet>) {
      const before = meanwhile;
      meanwhile = undefined;
      await before?.();
      return memory.compareAndSet(next, settlement);
    },
  };
  const { bo, ada, cy } = stageAssigning(FOR_ADA, { ports: { records } });
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  meanwhile = () => bo.give(elicitationId, { user: "cy" });
  expect((await ada.answer(elicitationId, { elicitationId, ...ROME })).status).toBe(404);
  expect((await cy.answer(elicitationId, { elicitationId, ...PARIS })).status).toBe(200);
  await turn.done;
  expect(JSON.stringify(turn.chunks)).toContain('\\"by\\":\\"cy\\"');
});

test("the assignee may pass the question on to users that the application allows, and the decision log has each step", async () => {
  const { bo, ada, cy, dan, decisions } = stageAssigning(FOR_ADA, {
    assign: { may: (user, to) => !(user.id === "ada" && to.user === "dan") },
  });
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  expect((await ada.give(elicitationId, { user: "dan" })).status).toBe(403);
  expect((await dan.give(elicitationId, { user: "dan" })).status).toBe(404);
  expect((await ada.give(elicitationId, { user: "cy", group: "finance" })).status).toBe(400);
  const given = await ada.give(elicitationId, { user: "cy" });
  expect(await given.json()).toEqual({ success: true, elicitationId, assignee: { name: "CY" } });
  expect((await ada.give(elicitationId, { user: "ada" })).status).toBe(404);
  await expect.poll(() => lastOf(turn).assignee?.name).toBe("CY");
  await bo.give(elicitationId, null);
  await bo.give(elicitationId, { group: "finance" });
  await cy.answer(elicitationId, { elicitationId, action: "decline" });
  await turn.done;
  const ended = await bo.give(elicitationId, null);
  expect(await ended.json()).toMatchObject({ status: 409, outcome: "declined" });
  const rows = await decisions.read({ limit: 10 });
  expect(rows.map(({ event, userId, by, assignee }) => [event, userId, by, assignee])).toEqual([
    ["asked", "bo", undefined, { user: "ada" }],
    ["assigned", "bo", "ada", { user: "cy" }],
    ["taken-back", "bo", "bo", undefined],
    ["assigned", "bo", "bo", { group: "finance" }],
    ["declined", "bo", "cy", undefined],
  ]);
});

test("a user who must not decide themselves cannot take the question back, and their card does not offer that", async () => {
  const { bo } = stageAssigning(FOR_ADA, { assign: { may: (user, to) => to.user !== user.id } });
  const turn = await bo.send("c1");
  const { elicitationId, assignee } = await turn.request();
  expect(assignee).toEqual({ name: "ADA" });
  expect((await bo.give(elicitationId, null)).status).toBe(403);
  expect((await bo.answer("c1", { elicitationId, ...ROME })).status).toBe(409);
  await turn.cancel();
});

test("nobody can give a question back to a user who must not decide themself", async () => {
  const { bo, ada } = stageAssigning(FOR_ADA, { assign: { may: (user, to) => to.user !== user.id } });
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  for (const to of [null, { user: "bo" }]) expect((await ada.give(elicitationId, to)).status).toBe(403);
  expect((await bo.answer("c1", { elicitationId, ...ROME })).status).toBe(409);
  expect(await ada.inbox()).toHaveLength(1);
  await turn.cancel();
});

test("the assignee can give a question back to a user who may decide themself", async () => {
  const { bo, ada } = stageAssigning();
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  expect((await ada.give(elicitationId, null)).status).toBe(200);
  expect((await bo.answer("c1", { elicitationId, ...ROME })).status).toBe(200);
  await turn.done;
});

test("a question that is assigned to a user who may not be asked fails, and no user is asked", async () => {
  const { bo, ada } = stageAssigning(FOR_ADA, { assign: { may: () => false } });
  const turn = await bo.send("c1");
  await turn.done;
  expect(JSON.stringify(turn.chunks)).toContain("the user may not leave this decision to somebody else");
  expect(await ada.inbox()).toEqual([]);
});

test("a question that is assigned to the user themself is a normal question", async () => {
  const { bo } = stageAssigning({ ...CITY, assignee: { user: "bo" } }, { assign: { may: () => false } });
  const turn = await bo.send("c1");
  const request = await turn.request();
  expect(request.assignee).toBe(undefined);
  await bo.answer("c1", { elicitationId: request.elicitationId, ...ROME });
  await turn.done;
});

const SECRET: FormQuestion = {
  ...FOR_ADA,
  requestedSchema: { type: "object", properties: { password: { type: "string", title: "Password" } } },
};
const PAGE = { ...CONNECT, assignee: { user: "ada" } };

for (const { what, question, surface, assign, error } of [
  { what: "without a rule", question: FOR_ADA, assign: undefined, error: "Set `assign` of createRuntime" },
  { what: "for a page", question: PAGE, assign: ASSIGN, error: "a page is always the user's own" },
  {
    what: "for a secret",
    question: SECRET,
    assign: ASSIGN,
    error: "a form that asks for a secret cannot be left",
  },
  {
    what: "on another surface",
    question: FOR_ADA,
    surface: "slack",
    assign: ASSIGN,
    error: 'this turn came through "slack"',
  },
]) {
  test(`assigning a question to ${what} fails with an error that says what to change`, async () => {
    const runtime = createTestRuntime(asking(CITY), { assign });
    const { signal } = new AbortController();
    const scope = { turnId: "t1", conversationId: "c1", user: { id: "bo" }, surface, signal };
    const asked = runtime.ask(scope, question);
    await expect(asked).rejects.toThrow(error);
    await expect(asked).rejects.toThrow(/^elicit-kit: /);
  });
}

test("questions cannot be assigned if the application has no rule for that", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const { elicitationId } = await (await ada.send("c1")).request();
  const reply = await ada.fetch(`/run/api/elicitations/${elicitationId}/assignee`, {
    body: { to: { user: "bo" } },
  });
  expect(reply.status).toBe(404);
});

test("a question for another user does not belong to the round of the other questions", async () => {
  const runtime = createTestRuntime(
    async function* run(turn) {
      const own = ["Who?", "When?"].map((message) => ({ ...CITY, message }));
      yield { type: "start", messageId: turn.id };
      yield* text(JSON.stringify(await turn.askRound([...own, FOR_ADA])));
      yield { type: "finish" };
    },
    { assign: ASSIGN },
  );
  const bo = createChatClient(runtime.fetch, { user: "bo" });
  const turn = await bo.send("c1");
  const requests = await Promise.all([0, 1, 2].map((index) => turn.request(index)));
  expect(requests.map(({ round }) => round?.size)).toEqual([2, 2, undefined]);
  await turn.cancel();
});

test("a tool asks another user for a decision in one line, and gets the id of the user who decided", async () => {
  const runtime = createTestRuntime(
    async function* run(turn) {
      const elicitor = createElicitor({ turn, tool: "pay", toolCallId: "call-1" });
      const approved = await elicitor.confirm("Pay 480 €?", { assignee: { group: "finance" } });
      yield* text(JSON.stringify(approved));
    },
    { assign: ASSIGN },
  );
  const [bo, cy] = ["bo", "cy"].map((user) => createChatClient(runtime.fetch, { user }));
  const turn = await bo!.send("c1");
  const { elicitationId } = await turn.request();
  await cy!.answer(elicitationId, { elicitationId, action: "accept", content: { answer: true } });
  await turn.done;
  expect(turn.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"accepted","value":true,"by":"cy"}' }),
  );
});

test("the assignee gets the notice, and each member of a group gets one with an id of its own", async () => {
  const told: WaitingNotice[] = [];
  const { bo, clock, ada } = stageAssigning(FOR_ADA, {
    notices: { onWaiting: (notice) => void told.push(notice) },
  });
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  clock.advance(80_000);
  // The chat of Bo is open, and only shows that the question waits for Ada.
  await expect
    .poll(() => told)
    .toMatchObject([{ user: { id: "ada" }, requests: [{ conversationId: elicitationId, from: "Bo" }] }]);
  await ada.give(elicitationId, { group: "finance" });
  clock.advance(80_000);
  await expect.poll(() => told.length).toBe(3);
  const [first, ...members] = told;
  expect(members.map(({ user }) => user.id)).toEqual(["ada", "cy"]);
  expect(new Set([first, ...members].map((notice) => notice?.id)).size).toBe(3);
  await turn.cancel();
});

test("only the user whose agent asks can read the stream of the turn", async () => {
  const { bo, ada } = stageAssigning();
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  const status = await ada.fetch(`/run/api/elicitations/${elicitationId}`);
  expect(await status.json()).toMatchObject({ elicitationId, status: "pending" });
  const reply = await ada.fetch("/run/api/elicitation-responses", {
    headers: { accept: "text/event-stream" },
    body: { conversationId: elicitationId, elicitationId, ...ROME },
  });
  expect(reply.headers.get("content-type")).toBe("application/json");
  expect(await reply.json()).toEqual({ success: true, elicitationId, outcome: "accepted" });
  await turn.done;
});

test("an answer is never reused for another user, neither for the one who asks nor for the one who decides", async () => {
  const remembered = createMemoryRemembered();
  const of = (question: FormQuestion) =>
    stageAssigning({ ...question, remember: true }, { ports: { remembered } });

  // Ada decides for Bo. Whatever her client sends, the answer is not remembered.
  const assigned = of(FOR_ADA);
  const first = await assigned.bo.send("c1");
  const asked = await first.request();
  const [seen] = await assigned.ada.inbox();
  expect([asked.remember, seen?.request.remember]).toEqual([undefined, undefined]);
  await assigned.ada.answer(asked.elicitationId, {
    elicitationId: asked.elicitationId,
    ...ROME,
    remember: true,
  });
  await first.done;

  // Ada's answer was not kept, so Bo is asked. He lets his own answer be remembered.
  const own = of(CITY);
  const second = await own.bo.send("c2");
  const mine = await second.request();
  await own.bo.answer("c2", { elicitationId: mine.elicitationId, ...PARIS, remember: true });
  await second.done;

  // Ada is asked again, because an answer of Bo is not her decision.
  const third = await assigned.bo.send("c3");
  const again = await third.request();
  expect(again.assignee).toEqual({ name: "ADA", takeBack: true });
  await third.cancel();
});

test("the inbox of a user goes on after fifty questions that they have left to their own group", async () => {
  const records = createMemoryRecords();
  const { bo } = stageAssigning(FOR_FINANCE, { ports: { records, clock: systemClock } });
  const assigned = { to: { group: "finance" }, name: "Finance", from: "Bo", mayTakeBack: true };
  const user = { id: "bo" };
  for (let count = 0; count < 50; count += 1) await records.create(testRecord({ user, assigned }));
  const own = await records.create(testRecord({ user }));
  const first: InboxPage = await (await bo.fetch("/run/api/elicitations")).json();
  expect(first).toEqual({ items: [], next: expect.any(String) });
  const second = await bo.fetch(`/run/api/elicitations?after=${first.next}`);
  expect([second.status, await second.json()]).toMatchObject([
    200,
    { items: [{ request: { elicitationId: own.request.elicitationId } }] },
  ]);
});
