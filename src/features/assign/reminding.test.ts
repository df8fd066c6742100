import { expect, onTestFinished, test } from "vitest";
import { promisesSettled } from "../../base/testing/manual-clock.ts";
import { FOR_ADA, stageAssigning } from "../../../test/stages/assigning.ts";
import type { FormQuestion, RuntimeOptions, WaitingNotice } from "../../runtime/index.ts";

const MINUTE = 60_000;

interface Options extends Omit<Partial<RuntimeOptions>, "assign" | "notices"> {
  notices?: Partial<NonNullable<RuntimeOptions["notices"]>>;
}

/** Ada is away, and gets notices of the requests that wait for her. */
function setUp(options: Options = {}, question: Partial<FormQuestion> = {}) {
  const told: WaitingNotice[] = [];
  const stage = stageAssigning(
    { ...FOR_ADA, expiresInMs: 24 * 60 * MINUTE, ...question },
    {
      ...options,
      notices: { onWaiting: (notice) => void told.push(notice), ...options.notices },
    },
  );
  onTestFinished(() => stage.runtime.close());
  async function pass(ms: number): Promise<void> {
    await stage.clock.advanceAsync(ms);
    await promisesSettled();
  }
  return { ...stage, told, pass };
}

const statusOf = async (reply: Response) => {
  const { code, detail } = await reply.json();
  return { status: reply.status, wait: reply.headers.get("retry-after"), code, detail };
};

test("the user whose agent asks may send the notice again, some time after the last one", async () => {
  const { bo, told, pass, decisions } = setUp();
  const turn = await bo.send("c1");
  const { elicitationId, assignee } = await turn.request();
  expect(assignee).toEqual({ name: "ADA", takeBack: true, remind: true });
  await pass(2 * MINUTE);
  expect(told).toHaveLength(1);
  // Six notices an hour are one every ten minutes, and the first was due after one minute.
  expect(await statusOf(await bo.remind(elicitationId))).toEqual({
    status: 409,
    wait: "540",
    code: "too-soon",
    detail: "Their last notice is too recent, or still to come. Remind them in 540 seconds.",
  });
  await pass(9 * MINUTE);
  const reminded = await bo.remind(elicitationId);
  expect([reminded.status, await reminded.json()]).toEqual([200, { success: true, elicitationId }]);
  expect(await statusOf(await bo.remind(elicitationId))).toMatchObject({ status: 409, wait: "600" });
  await pass(MINUTE);
  expect(told.map(({ user, requests }) => [user.id, requests[0]?.elicitationId])).toEqual([
    ["ada", elicitationId],
    ["ada", elicitationId],
  ]);
  expect(told[0]?.id).not.toBe(told[1]?.id);
  // A reminder is not a decision.
  expect((await decisions.read({ limit: 10 })).map(({ event }) => event)).toEqual(["asked"]);
  await turn.cancel();
});

test("reminders count towards the limit of notices that a user gets in an hour", async () => {
  const { bo, told, pass } = setUp({ notices: { perHour: 2 } });
  const first = await bo.send("c1");
  const one = await first.request();
  await pass(2 * MINUTE);
  const second = await bo.send("c2");
  await second.request();
  await pass(2 * MINUTE);
  expect(told).toHaveLength(2);
  await pass(28 * MINUTE);
  expect((await bo.remind(one.elicitationId)).status).toBe(200);
  await pass(2 * MINUTE);
  expect(told).toHaveLength(2);
  await pass(30 * MINUTE);
  expect(told).toHaveLength(3);
  await first.cancel();
  await second.cancel();
});

test("each member of a group is reminded, except the user whose agent asks", async () => {
  const { bo, told, pass } = setUp({}, { assignee: { group: "finance" } });
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  await pass(11 * MINUTE);
  expect(told.map(({ user }) => user.id)).toEqual(["ada", "cy"]);
  expect((await bo.remind(elicitationId)).status).toBe(200);
  await pass(MINUTE);
  expect(told.map(({ user }) => user.id)).toEqual(["ada", "cy", "ada", "cy"]);
  await turn.cancel();
});

test("without notices there are no reminders, and the card does not offer them", async () => {
  const { bo } = stageAssigning();
  const turn = await bo.send("c1");
  const { elicitationId, assignee } = await turn.request();
  expect(assignee?.remind).toBe(undefined);
  expect(await statusOf(await bo.remind(elicitationId))).toMatchObject({
    status: 403,
    detail: "This request waits for nobody who could be reminded of it.",
  });
  await turn.cancel();
});

test("only the user whose agent asks can remind the assignee, and only while the request waits", async () => {
  const { bo, ada, dan, told, pass } = setUp();
  const turn = await bo.send("c1");
  const { elicitationId } = await turn.request();
  await pass(20 * MINUTE);
  expect((await ada.remind(elicitationId)).status).toBe(404);
  expect((await dan.remind(elicitationId)).status).toBe(404);
  await bo.give(elicitationId, null);
  expect((await bo.remind(elicitationId)).status).toBe(403);
  await bo.give(elicitationId, { user: "ada" });
  await ada.answer(elicitationId, { elicitationId, action: "decline" });
  await turn.done;
  expect(await statusOf(await bo.remind(elicitationId))).toMatchObject({ status: 409, code: undefined });
  await pass(20 * MINUTE);
  expect(told).toHaveLength(1);
});
