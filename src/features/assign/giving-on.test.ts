import { expect, test } from "vitest";
import type { Assignee, ElicitationRequest, InboxPage } from "../../contract/contract.ts";
import { watchInbox } from "../../../test/stages/inbox.ts";
import { ASSIGN, FOR_ADA, stageAssigning } from "../../../test/stages/assigning.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { type FormQuestion, originalOf } from "../../runtime/index.ts";

const choicesOf = (): readonly Assignee[] => ["ada", "cy", "bo"].map((user) => ({ user }));
const offered = ({ request: { from, giveOn } }: InboxPage["items"][number]) => [from, giveOn];
const ROME = { action: "accept", content: { city: "Rome" } };

test("the assignee sees to whom they may pass on a question, and assigns it to one of them", async () => {
  const asked: unknown[] = [];
  const { bo, ada, cy } = stageAssigning(FOR_ADA, {
    assign: {
      choicesOf(userId, about) {
        asked.push([userId, about]);
        return [...choicesOf(), { group: "finance" }];
      },
    },
  });
  const turn = await bo.send("c1");
  const { elicitationId, assignee, from } = await turn.request();
  expect([assignee?.name, from]).toEqual(["ADA", undefined]);
  expect((await ada.inbox()).map(offered)).toEqual([[{ name: "Bo" }, true]]);
  const about = {
    asker: expect.objectContaining({ id: "bo" }),
    conversationId: "c1",
    tool: { id: "weather", name: "weather" },
  };
  expect(asked).toContainEqual(["ada", about]);
  const listed = await ada.choices(elicitationId);
  // Ada herself is not in the list, because she has the question.
  expect([listed.status, await listed.json()]).toEqual([
    200,
    {
      assignees: [
        { to: { user: "cy" }, name: "CY" },
        { to: { user: "bo" }, name: "BO" },
        { to: { group: "finance" }, name: "The finance team" },
      ],
    },
  ]);
  expect((await ada.give(elicitationId, { user: "cy" })).status).toBe(200);
  expect(await ada.inbox()).toEqual([]);
  expect((await cy.inbox()).map(offered)).toEqual([[{ name: "Bo" }, true]]);
  expect((await cy.answer(elicitationId, { elicitationId, ...ROME })).status).toBe(200);
  await turn.done;
});

test("the card offers no users if the application lists none", async () => {
  for (const assign of [{}, { choicesOf: () => [{ user: "ada" }] }]) {
    const { bo, ada } = stageAssigning(FOR_ADA, { assign });
    const turn = await bo.send("c1");
    const { elicitationId } = await turn.request();
    expect((await ada.inbox()).map(offered)).toEqual([[{ name: "Bo" }, undefined]]);
    expect(await (await ada.choices(elicitationId)).json()).toEqual({ assignees: [] });
    await turn.cancel();
  }
});

test("a stream of the inbox asks the application once about each question, however often it changes", async () => {
  const asked: string[] = [];
  const { bo, ada, runtime } = stageAssigning(FOR_ADA, {
    assign: {
      choicesOf(userId, { conversationId }) {
        if (userId === "ada") asked.push(conversationId);
        return choicesOf();
      },
    },
  });
  const inbox = await watchInbox(ada);
  expect(await inbox.next()).toEqual({ items: [] });
  const first = await bo.send("c1");
  const { elicitationId } = await first.request();
  const offers = async () => (await inbox.next())?.items.map(({ request }) => request.giveOn);
  expect(await offers()).toEqual([true]);
  await runtime.elicitations.fail(elicitationId, "Something is wrong.");
  expect(await offers()).toEqual([true]);
  const second = await bo.send("c2");
  expect(await offers()).toEqual([true, true]);
  expect(asked).toEqual(["c1", "c2"]);
  await Promise.all([inbox.cancel(), first.cancel(), second.cancel()]);
});

test("at most a hundred users are listed", async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({ user: `user-${index}` }));
  const { bo, ada } = stageAssigning(FOR_ADA, { assign: { choicesOf: () => many } });
  const turn = await bo.send("c1");
  const { assignees } = await (await ada.choices((await turn.request()).elicitationId)).json();
  expect(assignees).toHaveLength(100);
  await turn.cancel();
});

test("the application's rule is checked for the chosen user, even if they are listed, and a refusal changes nothing", async () => {
  const may = (user: { id: string }, to: Assignee) => !(user.id === "ada" && to.user === "cy");
  const { bo, ada } = stageAssigning(FOR_ADA, { assign: { choicesOf, may } });
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  const refused = await ada.give(elicitationId, { user: "cy" });
  expect([refused.status, (await refused.json()).detail]).toEqual([
    403,
    "You may not leave this decision to them. `assignees` of this request lists who can decide.",
  ]);
  expect(await ada.inbox()).toHaveLength(1);
  await turn.cancel();
});

test("a question cannot be assigned to a user whom the application does not know", async () => {
  const nameOf = (who: Assignee) => (who.user === "nobody" ? undefined : ASSIGN.nameOf(who));
  const { bo, ada } = stageAssigning(FOR_ADA, { assign: { nameOf } });
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  expect((await ada.give(elicitationId, { user: "nobody" })).status).toBe(403);
  expect((await bo.give(elicitationId, { user: "nobody" })).status).toBe(403);
  expect(await ada.inbox()).toHaveLength(1);
  await turn.cancel();

  const asked = stageAssigning({ ...FOR_ADA, assignee: { user: "nobody" } }, { assign: { nameOf } });
  const failed = await asked.bo.send("c1");
  await failed.done;
  expect(JSON.stringify(failed.chunks)).toContain("may not leave this decision to somebody else");
});

test("only the current assignee can read the list of users", async () => {
  const { runtime, bo, ada, cy } = stageAssigning(FOR_ADA, { assign: { choicesOf } });
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  expect((await bo.choices(elicitationId)).status).toBe(404);
  expect((await cy.choices(elicitationId)).status).toBe(404);
  expect((await ada.choices("unknown")).status).toBe(404);
  const path = `https://runtime.example.com/run/api/elicitations/${elicitationId}/assignees`;
  expect((await runtime.fetch(new Request(path))).status).toBe(401);
  await ada.answer(elicitationId, { elicitationId, action: "decline" });
  await turn.done;
  const ended = await ada.choices(elicitationId);
  expect([ended.status, await ended.json()]).toMatchObject([409, { outcome: "declined" }]);
});

/** The last state of a request on a stream. */
const lastOf = ({ chunks }: { chunks: readonly Readonly<Record<string, unknown>>[] }) =>
  chunks.findLast(({ type }) => type === "data-elicitation-request")?.["data"] as ElicitationRequest;

test("the user whose agent asks gives their own question to somebody else, and may give it again after a take-back", async () => {
  const { bo, ada } = stageAssigning(CITY, {
    assign: { choicesOf },
    notices: { onWaiting: () => undefined },
  });
  const turn = await bo.send("c1");
  const { elicitationId, giveOn } = await turn.request();
  expect(giveOn).toBe(true);
  expect((await bo.inbox()).map(offered)).toEqual([[undefined, true]]);
  const { assignees } = await (await bo.choices(elicitationId)).json();
  expect(assignees).toEqual(["ada", "cy"].map((user) => ({ to: { user }, name: user.toUpperCase() })));
  const given = await bo.give(elicitationId, { user: "ada" });
  const assignee = { name: "ADA", takeBack: true, remind: true };
  expect([given.status, await given.json()]).toEqual([200, { success: true, elicitationId, assignee }]);
  await expect.poll(() => lastOf(turn).assignee).toEqual(assignee);
  // Only who decides it reads the list now.
  expect((await bo.choices(elicitationId)).status).toBe(404);
  expect((await ada.inbox()).map(offered)).toEqual([[{ name: "Bo" }, true]]);
  await bo.give(elicitationId, null);
  await expect.poll(() => [lastOf(turn).assignee, lastOf(turn).giveOn]).toEqual([undefined, true]);
  await bo.answer("c1", { elicitationId, ...ROME });
  await turn.done;
});

test("the application may keep the user's own questions with them", async () => {
  const { bo, ada } = stageAssigning(FOR_ADA, {
    assign: { choicesOf: (userId, { asker }) => (userId === asker.id ? [] : [{ user: "cy" }]) },
  });
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  expect((await ada.inbox()).map(offered)).toEqual([[{ name: "Bo" }, true]]);
  await bo.give(elicitationId, null);
  await expect.poll(() => lastOf(turn).assignee).toBe(undefined);
  expect(lastOf(turn).giveOn).toBe(undefined);
  await turn.cancel();
});

const SECRET: FormQuestion["requestedSchema"] = {
  type: "object",
  properties: { key: { type: "string", title: "API key" } },
};

test.each<[string, FormQuestion]>([
  ["for a secret", { ...CITY, requestedSchema: SECRET }],
  ["of a third party", { ...CITY, requester: { name: "Agent", claimedName: "Some server" } }],
])("a question %s can be given to nobody", async (_, question) => {
  const { bo } = stageAssigning(question, { assign: { choicesOf } });
  const turn = await bo.send("c1");
  const { elicitationId, giveOn } = await turn.request();
  expect(giveOn).toBe(undefined);
  expect(await (await bo.choices(elicitationId)).json()).toEqual({ assignees: [] });
  await turn.cancel();
});

test("the questions of a round can be given to nobody", async () => {
  const runtime = createTestRuntime(
    async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      yield* text(JSON.stringify(await turn.askRound([CITY, { ...CITY, message: "And then?" }])));
    },
    { assign: { ...ASSIGN, choicesOf } },
  );
  const turn = await createChatClient(runtime.fetch, { user: "bo" }).send("c1");
  const requests = await Promise.all([0, 1].map((index) => turn.request(index)));
  expect(requests.map(({ round, giveOn }) => [round?.size, giveOn])).toEqual([
    [2, undefined],
    [2, undefined],
  ]);
  await turn.cancel();
});

test("if the application cannot list anybody, the question is asked all the same", async () => {
  const down = new Error("the directory is down");
  const { bo, runtime } = stageAssigning(CITY, { assign: { choicesOf: () => Promise.reject(down) } });
  const turn = await bo.send("c1");
  expect((await turn.request()).giveOn).toBe(undefined);
  expect(runtime.errors.map(originalOf)).toEqual([down]);
  await turn.cancel();
});

test("two users may ask in conversations with the same id, and each question offers its own choices", async () => {
  const { bo, dan, ada } = stageAssigning(FOR_ADA, {
    assign: { choicesOf: (_, { asker }) => (asker.id === "bo" ? choicesOf() : []) },
  });
  const turns = [await bo.send("c1"), await dan.send("c1")];
  for (const turn of turns) await turn.request();
  expect((await ada.inbox()).map(offered)).toEqual([
    [{ name: "Bo" }, true],
    [{ name: "Dan" }, undefined],
  ]);
  for (const turn of turns) await turn.cancel();
});
