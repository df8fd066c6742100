/** Tests for the effect of a message on a waiting task. */
import { type StreamResponse, TaskState } from "@a2a-js/sdk";
import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { FormQuestion, RunTurn } from "elicit-kit/runtime";
import { describe, expect, test } from "vitest";
import { ELICITATION_EXTENSION, readWithdrawn } from "../../../src/a2a/wire/translate.ts";
import { CITY, CONNECT, asking, text } from "../../stages/test-runtime.ts";
import { createSkippingClock } from "../../stages/skipping-clock.ts";
import {
  caller,
  collect,
  questionsOf,
  replyOf,
  serve,
  sharedPorts,
  stateOf,
  statesOf,
  wordsOf,
} from "./served.ts";

const {
  TASK_STATE_AUTH_REQUIRED: AUTH_REQUIRED,
  TASK_STATE_COMPLETED: COMPLETED,
  TASK_STATE_INPUT_REQUIRED: INPUT_REQUIRED,
  TASK_STATE_WORKING: WORKING,
} = TaskState;

const HOSTED = { hostedPage: { origin: "https://auth.example.com" } };

const askAll = (...questions: (typeof CITY | typeof CONNECT)[]): RunTurn =>
  async function* run(turn) {
    const asked = questions.map((question, index) => turn.ask({ ...question, toolCallId: `call-${index}` }));
    yield* text(JSON.stringify((await Promise.all(asked)).map(({ outcome }) => outcome)));
  };

const oneField = (property: Record<string, unknown>): FormQuestion => ({
  ...CITY,
  requestedSchema: { type: "object", properties: { value: property }, required: ["value"] },
});

const carrying = (payload: unknown) => ({
  extensions: [ELICITATION_EXTENSION],
  metadata: { [ELICITATION_EXTENSION]: payload },
});

describe("an invalid answer", () => {
  test("is asked for again with the reason and a new id, three times at most, and then the tool gets the reason for the failure", async () => {
    const served = serve(asking(CITY));
    const ada = await caller(served);
    let task = await ada.send("Book");
    const ids: string[] = [];
    for (const attempt of [1, 2, 3]) {
      expect(stateOf(task)).toBe(INPUT_REQUIRED);
      const [question] = questionsOf(task);
      ids.push(question!.elicitationId);
      if (attempt > 1)
        expect(question?.message).toBe(
          `Where to?\n\nPlease check: city does not fit: too short (limit 2). (${attempt} of 3)`,
        );
      const answer = {
        elicitationId: question!.elicitationId,
        action: "accept",
        content: { city: "R" },
      } as const;
      task = await ada.answer(task, answer);
    }
    expect(new Set(ids).size).toBe(3);
    expect(stateOf(task)).toBe(COMPLETED);
    expect(JSON.parse(replyOf(task))).toEqual({
      outcome: "failed",
      reason: expect.stringContaining("none of 3 answers was valid"),
    });
    expect([...served.errors, ...served.runtime.errors]).toEqual([]);
  });

  test("to one of several forms is asked for again as often as one to a single form", async () => {
    const askBoth: RunTurn = async function* run(turn) {
      const outcomes = (await turn.askRound([CITY, { ...CITY, message: "And then?" }])).map(
        ({ outcome }) => outcome,
      );
      yield* text(JSON.stringify(outcomes));
    };
    const ada = await caller(serve(askBoth));
    let task = await ada.send("Book");
    for (const attempt of [1, 2, 3]) {
      const [first, second] = questionsOf(task);
      if (attempt > 1) expect(first?.message).toContain(`(${attempt} of 3)`);
      expect(second?.message).toBe("And then?");
      task = await ada.answer(task, {
        elicitationId: first!.elicitationId,
        action: "accept",
        content: { city: "R" },
      });
    }
    const [last] = questionsOf(task);
    task = await ada.answer(task, { elicitationId: last!.elicitationId, action: "decline" });
    expect(replyOf(task)).toBe('["failed","declined"]');
  });

  test("is asked for again in every process, with the same text, and a valid answer counts in each", async () => {
    const ports = sharedPorts();
    const here = await caller(serve(asking(CITY), ports));
    const there = await caller(serve(asking(CITY), ports));
    const task = await here.send("Book");
    const [first] = questionsOf(task);
    const again = await here.answer(task, {
      elicitationId: first!.elicitationId,
      action: "accept",
      content: {},
    });
    const [second] = questionsOf(await there.get(task.id));
    expect(second).toEqual(questionsOf(again)[0]);
    const good = {
      elicitationId: second!.elicitationId,
      action: "accept",
      content: { city: "Rome" },
    } as const;
    expect(replyOf(await there.answer(task, good))).toContain("Rome");
  });

  test("is asked for again on an open subscription", async () => {
    const ada = await caller(serve(asking(CITY)));
    const task = await ada.send("Book");
    const [question] = questionsOf(task);
    const { elicitationId } = question!;
    const events = ada.client.resubscribeTask({ tenant: "", id: task.id }, ada.options);
    await events.next();
    await ada.answer(task, { elicitationId, action: "accept", content: {} });
    const { value: next } = await events.next();
    const status = next?.payload?.$case === "statusUpdate" ? next.payload.value : undefined;
    expect(questionsOf(status!)[0]?.elicitationId).not.toBe(elicitationId);
    await ada.client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
    expect(statesOf(await collect(events))).toEqual([WORKING, TaskState.TASK_STATE_CANCELED]);
  });

  test.each([
    ["without a list", {}],
    ["with a list that is none", { responses: "accept" }],
    ["with an unknown action", { responses: [{ elicitationId: "x", action: "yes" }] }],
    ["with nested content", { responses: [{ elicitationId: "x", action: "accept", content: { city: {} } }] }],
  ])("is asked for again if its payload cannot be read: %s", async (_, payload) => {
    const ada = await caller(serve(asking(CITY)));
    const task = await ada.send("Book");
    const again = await ada.send("[elicitation accept]", { taskId: task.id, ...carrying(payload) });
    expect(stateOf(again)).toBe(INPUT_REQUIRED);
    expect(questionsOf(again)[0]?.message).toContain("(2 of 3)");
  });

  test("is ignored if its question does not belong to the task", async () => {
    const served = serve(askAll(CITY));
    const ada = await caller(served);
    const task = await ada.send("Book");
    const other = await ada.send("Book again");
    const [foreign] = questionsOf(other);
    const answer = { action: "accept", content: { city: "Rome" } } as const;
    for (const elicitationId of [foreign!.elicitationId, "made-up"]) {
      expect(await ada.answer(task, { elicitationId, ...answer })).toMatchObject({ status: task.status });
    }
    expect(questionsOf(await ada.get(other.id))).toHaveLength(1);
  });
});

describe("several parallel questions", () => {
  test("in two forms have one status, and one message answers both", async () => {
    const ada = await caller(
      serve(askAll(CITY, { ...CITY, tool: { id: "t2", name: "t2" }, message: "And then?" })),
    );
    const task = await ada.send("Book");
    const questions = questionsOf(task);
    expect(questions.map(({ message }) => message)).toEqual(["Where to?", "And then?"]);
    const [one, two] = questions;
    const ended = await ada.answer(
      task,
      { elicitationId: two!.elicitationId, action: "decline" },
      { elicitationId: one!.elicitationId, action: "accept", content: { city: "Rome" } },
    );
    expect(replyOf(ended)).toBe('["accepted","declined"]');
  });

  test("include a form that waits until an earlier URL request has ended", async () => {
    const served = serve(askAll(CONNECT, CITY));
    const ada = await caller(served);
    const task = await ada.send("Book");
    expect(stateOf(task)).toBe(AUTH_REQUIRED);
    const [page] = questionsOf(task);
    await served.runtime.elicitations.complete(page!.elicitationId);
    const next = await ada.until(task.id, INPUT_REQUIRED);
    const [form] = questionsOf(next);
    expect(form).toMatchObject({ mode: "form" });
    const ended = await ada.answer(next, { elicitationId: form!.elicitationId, action: "cancel" });
    expect(replyOf(ended)).toBe('["accepted","cancelled"]');
  });

  test("include a URL request that waits until an earlier form has ended", async () => {
    const served = serve(askAll(CITY, CONNECT));
    const ada = await caller(served);
    const task = await ada.send("Book");
    const [form] = questionsOf(task);
    const next = await ada.answer(task, { elicitationId: form!.elicitationId, action: "decline" });
    expect(stateOf(next)).toBe(AUTH_REQUIRED);
    expect(questionsOf(next)).toMatchObject([{ mode: "url" }]);
  });

  test("are asked in groups of ten", async () => {
    const many = Array.from({ length: 12 }, (_, n) => ({ ...CITY, tool: { id: `t${n}`, name: "t" } }));
    const ada = await caller(serve(askAll(...many)));
    const task = await ada.send("Book");
    const first = questionsOf(task).map(({ elicitationId }) => ({
      elicitationId,
      action: "decline" as const,
    }));
    expect(first).toHaveLength(10);
    const rest = questionsOf(await ada.answer(task, ...first));
    expect(rest).toHaveLength(2);
  });
});

describe("the URL request of a task", () => {
  test("is not completed by an accept, and can be declined by a message while the stream is open", async () => {
    const ada = await caller(serve(asking(CONNECT)));
    const events: StreamResponse[] = [];
    for await (const event of ada.stream("Connect")) {
      events.push(event);
      const update = event.payload?.$case === "statusUpdate" ? event.payload.value : undefined;
      if (update === undefined || stateOf(update) !== AUTH_REQUIRED) continue;
      const task = await ada.get(update.taskId);
      const { elicitationId } = questionsOf(task)[0]!;
      expect(stateOf(await ada.answer(task, { elicitationId, action: "accept" }))).toBe(AUTH_REQUIRED);
      const declined = await ada.answer(task, { elicitationId, action: "decline" });
      expect(replyOf(declined)).toBe('{"outcome":"declined"}');
    }
    expect(statesOf(events)).toEqual([WORKING, AUTH_REQUIRED, WORKING, COMPLETED]);
  });

  test("is listed as withdrawn when the user declines on the page, so that no client takes it for complete", async () => {
    const served = serve(asking(CONNECT));
    const ada = await caller(served);
    const task = await ada.send("Connect");
    const { elicitationId } = questionsOf(task)[0]!;
    await served.runtime.elicitations.decline(elicitationId);
    const ended = await ada.until(task.id, COMPLETED);
    expect(readWithdrawn(ended.status?.message)).toEqual([elicitationId]);
  });

  test("accepts no credential: a text on the task changes nothing", async () => {
    const ada = await caller(serve(asking(CONNECT)), { extension: false });
    const task = await ada.send("Connect");
    const again = await ada.send("Here is the token: 123", { taskId: task.id });
    expect(again).toMatchObject({ status: { state: AUTH_REQUIRED }, artifacts: [] });
  });
});

describe("a client that supports", () => {
  test("only forms is not asked to open a page, and the tool immediately learns that", async () => {
    const ada = await caller(serve(asking(CONNECT)), { modes: { form: true, url: false } });
    expect(replyOf(await ada.send("Connect"))).toBe('{"outcome":"unsupported"}');
  });

  test("only pages gets a form as the link to the answer page", async () => {
    const ada = await caller(serve(asking(CITY), HOSTED), { modes: { form: false, url: true } });
    const task = await ada.send("Book");
    expect(stateOf(task)).toBe(AUTH_REQUIRED);
    const [page] = questionsOf(task);
    expect(page).toMatchObject({ mode: "url", message: "Where to?" });
    expect(page?.mode === "url" && page.url).toContain("https://auth.example.com/auth/answer?elicitationId=");
  });

  test("only pages is not asked with a form if there is no answer page", async () => {
    const ada = await caller(serve(asking(CITY)), { modes: { form: false, url: true } });
    expect(replyOf(await ada.send("Book"))).toBe('{"outcome":"unsupported"}');
  });
});

describe("a form that asks for a secret", () => {
  const secret = oneField({ type: "string", title: "Password" });

  test("is asked only on the answer page", async () => {
    const ada = await caller(serve(asking(secret), HOSTED));
    const task = await ada.send("Sign in");
    expect(stateOf(task)).toBe(AUTH_REQUIRED);
    expect(questionsOf(task)).toMatchObject([{ mode: "url" }]);
  });

  test("is refused with the reason if there is no answer page", async () => {
    const ada = await caller(serve(asking(secret)));
    expect(JSON.parse(replyOf(await ada.send("Sign in")))).toEqual({
      outcome: "failed",
      reason: expect.stringContaining("the form asks for a secret"),
    });
  });
});

describe("an answer as text", () => {
  test.each([
    ["a text", { type: "string" }, "Rome", "Rome"],
    ["a number", { type: "integer", minimum: 1 }, " 3 ", 3],
    ["yes", { type: "boolean" }, "Yes", true],
    ["no", { type: "boolean" }, "no", false],
    ["the name of an option", { type: "string", oneOf: [{ const: "a", title: "Aisle" }] }, "aisle", "a"],
    ["some options", { type: "array", items: { type: "string", enum: ["x", "y"] } }, "y, x", ["y", "x"]],
  ])("is %s for a form of one field", async (_, property, said, value) => {
    const ada = await caller(serve(asking(oneField(property))), { extension: false });
    const task = await ada.send("Go");
    const ended = await ada.send(said, { taskId: task.id });
    expect(JSON.parse(replyOf(ended))).toEqual({ outcome: "accepted", content: { value } });
  });

  test("is a JSON object for several fields, and any other text is asked for again", async () => {
    const ada = await caller(serve(asking(CITY), HOSTED), { extension: false });
    const task = await ada.send("Book");
    expect(wordsOf(task)).toContain(
      'Where to?\n\nAnswer with a JSON object of these members:\n- "city": City, a text\n- "nights": nights, a whole number, optional\n\nOr answer on this page: https://auth.example.com/auth/answer?elicitationId=',
    );
    const again = await ada.send("Rome, please", { taskId: task.id });
    expect(stateOf(again)).toBe(INPUT_REQUIRED);
    expect(wordsOf(again)).toContain("The last answer was not a JSON object. (2 of 3)");
    const ended = await ada.send('{"city":"Rome","nights":2}', { taskId: task.id });
    expect(replyOf(ended)).toBe('{"outcome":"accepted","content":{"city":"Rome","nights":2}}');
  });

  test("is yes or no for a form without fields", async () => {
    const confirm = { ...CITY, requestedSchema: { type: "object", properties: {} } } as const;
    const ada = await caller(serve(asking(confirm)), { extension: false });
    const one = await ada.send("Go");
    expect(wordsOf(one)).toBe("Where to?\n\nAnswer with yes or no.");
    expect(replyOf(await ada.send("yes", { taskId: one.id }))).toContain("accepted");
    const two = await ada.send("Go");
    expect(replyOf(await ada.send("no", { taskId: two.id }))).toContain("declined");
  });

  test("fails after three invalid ones", async () => {
    const ada = await caller(serve(asking(oneField({ type: "integer" }))), { extension: false });
    let task = await ada.send("Go");
    for (const said of ["many", "lots", "plenty"]) task = await ada.send(said, { taskId: task.id });
    expect(JSON.parse(replyOf(task)).outcome).toBe("failed");
  });
});

describe("a message with only a context, from a client without the extension", () => {
  test("answers the single open question of its context", async () => {
    const ada = await caller(serve(asking(oneField({ type: "string" }))), { extension: false });
    const task = await ada.send("Book");
    const ended = await ada.send("Rome", { contextId: task.contextId });
    expect(ended.id).toBe(task.id);
    expect(JSON.parse(replyOf(ended))).toEqual({ outcome: "accepted", content: { value: "Rome" } });
  });

  test("starts a new task if two questions are open, or if it has started the task itself", async () => {
    const ada = await caller(serve(asking(oneField({ type: "string" }))), { extension: false });
    const first = await ada.send("Book", { messageId: "m1" });
    const { contextId } = first;
    expect((await ada.send("Book", { messageId: "m1", contextId })).status).toEqual(first.status);
    const askBoth: RunTurn = async function* run(turn) {
      yield* text(JSON.stringify(await turn.askRound([CITY, { ...CITY, message: "And then?" }])));
    };
    const bob = await caller(serve(askBoth), { extension: false, user: "bob" });
    const both = await bob.send("Book");
    expect((await bob.send("Rome", { contextId: both.contextId })).id).not.toBe(both.id);
  });
});

test("a message on a task that does not wait is refused", async () => {
  let goOn = () => {};
  const served = serve(async function* run() {
    await new Promise<void>((resolve) => (goOn = resolve));
    yield* text("Done.");
  });
  const ada = await caller(served);
  const task = await ada.send("Go", {}, { returnImmediately: true });
  expect(stateOf(task)).toBe(WORKING);
  await expect(ada.send("Faster!", { taskId: task.id })).rejects.toThrow(UnsupportedOperationError);
  goOn();
  await ada.until(task.id, COMPLETED);
});

test("a question without an answer expires, and the task continues", async () => {
  const clock = createSkippingClock();
  const ada = await caller(serve(asking({ ...CITY, expiresInMs: 60_000 }), { ports: { clock } }));
  const task = await ada.send("Book");
  expect(stateOf(task)).toBe(INPUT_REQUIRED);
  clock.skip(60_000);
  expect(replyOf(await ada.until(task.id, COMPLETED))).toContain('"outcome":"expired"');
});
