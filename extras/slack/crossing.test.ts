import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { CITY, CONNECT, text } from "../../test/stages/test-runtime.ts";
import { type SlackSurface, createSlackSurface } from "./index.ts";
import { createSlackStage } from "../../test/stages/slack/slack-stage.ts";
import type { FakeMessage } from "./testing/index.ts";

const TEAM = "T0ACME";
const APPS = ["slack", "other"] as const;
const ASKED = ["UADA", "UBOB"] as const;
/** All users who press buttons: the two who are asked, a colleague, and a user with Ada's id in another workspace. */
const PEOPLE = [
  { id: "UADA", team: TEAM },
  { id: "UBOB", team: TEAM },
  { id: "UCID", team: TEAM },
  { id: "UADA", team: "T9OTHER" },
] as const;

type Person = (typeof PEOPLE)[number];
type App = (typeof APPS)[number];
/**
 * `question` is the number of one of four requests: of two users, in two apps. `via`: the app to which Slack sends the
 * action.
 */
type Act =
  | { do: "press"; who: Person; question: number; button: string; via: App; times: number }
  | { do: "submit"; who: Person; question: number; city: string; via: App; times: number }
  | { do: "type"; who: Person; question: number; via: App }
  | { do: "stop"; who: Person; via: App }
  | { do: "retry"; question: number };

const who = fc.constantFrom(...PEOPLE);
const via = fc.constantFrom(...APPS);
const question = fc.nat({ max: 3 });
const times = fc.integer({ min: 1, max: 2 });
const button = fc.constantFrom("answer", "accept", "decline", "cancel", "link");
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("press"), who, question, button, via, times }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("submit"),
      who,
      question,
      city: fc.constantFrom("Rome", "x"),
      via,
      times,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("type"), who, question, via }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stop"), who, via }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("retry"), question }) },
);

/** Two users in one thread each have a turn with each of two apps. The second app asks Ada for an account. */
async function setUp() {
  const ended = new Map<string, string>();
  let runs = 0;
  const run: RunTurn = async function* run(turn) {
    runs += 1;
    const key = `${turn.user?.id} ${turn.conversationId.split(":")[0]}`;
    const { outcome } = await turn.ask(key === "UADA other" ? CONNECT : CITY);
    ended.set(key, outcome);
    yield* text(`It was ${outcome}.`);
  };
  const stage = createSlackStage(run, {
    runtime: { limits: { writesPerMinute: 10_000 } },
    surface: { userOf: ({ team, user }) => (team === TEAM ? { id: user } : { id: `${team} ${user}` }) },
    slack: { rateLimits: false },
  });
  const { slack, ops, clock, runtime } = stage;
  const other = createSlackSurface({
    runtime,
    kind: "other",
    signingSecret: slack.signingSecret,
    token: slack.token,
    userOf: ({ team, user }) => (team === TEAM ? { id: user } : { id: `${team} ${user}` }),
    fetch: slack.fetch,
    clock,
    onError: () => undefined,
  });
  const surfaces: Readonly<Record<App, SlackSurface>> = { slack: stage.surface, other };
  const { ts: thread } = await stage.ada.say(ops, "Good morning.");
  const questions = APPS.flatMap((app, row) =>
    ASKED.map((owner, column) => {
      const ts = `1795176000.60000${row * 2 + column}`;
      const event = { type: "app_mention", user: owner, team: TEAM, text: "go", channel: ops.id, ts };
      const body = { type: "event_callback", team_id: TEAM, event: { ...event, thread_ts: thread } };
      return { app, owner, start: () => surfaces[app].handle({ kind: "event", body }) };
    }),
  );
  const asked: ((typeof questions)[number] & { elicitationId: string; ts: string })[] = [];
  for (const one of questions) {
    await stage.during(one.start());
    const conversationId = `${one.app}:${TEAM}:${ops.id}:${thread}`;
    const [record] = await runtime.elicitations.listOpen(conversationId, one.owner);
    const elicitationId = record?.request.elicitationId ?? "";
    const isOf = (message: FakeMessage) => JSON.stringify(message).includes(elicitationId);
    const find = () => slack.messages(ops, thread).find(isOf);
    const { ts } = await stage.until(find);
    asked.push({ ...one, elicitationId, ts });
  }
  return { stage, surfaces, asked, ended, runs: () => runs, thread };
}

type World = Awaited<ReturnType<typeof setUp>>;

function perform({ surfaces, asked, stage, thread }: World, doing: Act): Promise<unknown>[] {
  if (doing.do === "retry") return [asked[doing.question]!.start()];
  const { who: person, via: app } = doing;
  const base = { user: { id: person.id, team_id: person.team }, team: { id: TEAM } };
  const channel = stage.ops.id;
  const interaction = (body: object, count = 1) =>
    Array.from({ length: count }, () =>
      surfaces[app].handle({ kind: "interaction", body: { ...base, ...body } }),
    );
  if (doing.do === "stop") {
    const event = { type: "agent_session_stopped", user: person.id, team: person.team, channel };
    const body = { type: "event_callback", team_id: TEAM, event: { ...event, thread_ts: thread } };
    return [surfaces[app].handle({ kind: "event", body })];
  }
  const { elicitationId, ts } = asked[doing.question]!;
  if (doing.do === "press") {
    const actions = [{ action_id: `elicit_kit:${doing.button}`, value: elicitationId }];
    const where = {
      channel: { id: channel },
      container: { message_ts: ts },
      message: { thread_ts: thread },
    };
    return interaction({ type: "block_actions", trigger_id: "1.1", ...where, actions }, doing.times);
  }
  const city = doing.do === "submit" ? doing.city : "typed";
  const values = { "field:0": { "elicit_kit:field": { value: city } } };
  const view = { callback_id: "elicit_kit:form", private_metadata: elicitationId, state: { values } };
  if (doing.do === "submit") return interaction({ type: "view_submission", view }, doing.times);
  return interaction({ type: "block_actions", view, actions: [{ action_id: "elicit_kit:field" }] });
}

/** The outcome with which an action may end a request, if any. */
function endingOf(doing: Act, index: number, { owner, app }: World["asked"][number]): string | undefined {
  if (doing.do === "retry" || doing.do === "type") return undefined;
  if (doing.who.id !== owner || doing.who.team !== TEAM || doing.via !== app) return undefined;
  if (doing.do === "stop") return "withdrawn";
  if (doing.question !== index) return undefined;
  const isForm = !(owner === "UADA" && app === "other");
  if (doing.do === "submit") return isForm && doing.city === "Rome" ? "accepted" : undefined;
  return { decline: "declined", cancel: "cancelled" }[doing.button];
}

test("when two users in one thread have two turns each in two apps, only the user who is asked can end a request", async () => {
  let endings = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      async (batches) => {
        const world = await setUp();
        const { stage, asked, ended, runs } = world;
        const statuses = () =>
          Promise.all(
            asked.map(async ({ elicitationId }) => {
              const record = await stage.runtime.elicitations.get(elicitationId);
              // The user may open the page at any time. The request stays open.
              return record?.status === "consented" ? "pending" : record?.status;
            }),
          );
        let before = await statuses();
        expect(before).toEqual(["pending", "pending", "pending", "pending"]);
        for (const batch of batches) {
          // All at the same time, as Slack would send them.
          await stage.during(Promise.all(batch.flatMap((doing) => perform(world, doing))));
          const may = asked.map((one, index) => batch.flatMap((doing) => endingOf(doing, index, one) ?? []));
          let after = await statuses();
          // The clock of the test may overtake an answer; the reply then says that the answer is being checked.
          for (
            let looks = 0;
            looks < 50 && may.some((ends, i) => ends.length > 0 && after[i] === "pending");
            looks += 1
          )
            after = await stage.during(statuses());
          for (const [index, ends] of may.entries()) {
            if (before[index] !== "pending" || ends.length === 0) expect(after[index]).toBe(before[index]);
            else expect(ends).toContain(after[index]);
          }
          before = after;
        }
        const isOver = asked.filter((_, index) => before[index] !== "pending");
        endings += isOver.length;
        await stage.until(() =>
          isOver.every(({ owner, app }) => before[0] !== undefined && isDone(owner, app)),
        );
        function isDone(owner: string, app: App): boolean {
          const index = asked.findIndex((one) => one.owner === owner && one.app === app);
          // A stopped turn writes nothing more.
          return before[index] === "withdrawn" || ended.get(`${owner} ${app}`) === before[index];
        }
        expect(runs()).toBe(4);
        // The trigger ids are invalid here, so no modal opens.
        expect(stage.errors.filter((error) => !String(error).includes("invalid_trigger_id"))).toEqual([]);
        // No message shows text that a user typed for another request.
        for (const [index, { ts }] of asked.entries()) {
          const shown = JSON.stringify(stage.slack.messages(stage.ops).find((one) => one.ts === ts));
          expect(shown.includes("City: Rome")).toBe(before[index] === "accepted");
        }
        await stage.runtime.close();
      },
    ),
    { numRuns: 40 },
  );
  expect(endings).toBeGreaterThan(0);
});
