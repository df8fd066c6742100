import { asSchema } from "ai";
import { expect, test } from "vitest";
import type { Turn } from "../runtime/index.ts";
import { createChatClient, readStream } from "../../test/stages/chat-client.ts";
import { createMemoryProcesses } from "../../test/stages/memory-processes.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../test/stages/test-runtime.ts";
import { createAgentTurn, elicitationTools } from "./index.ts";

function setUp(...steps: readonly Step[]) {
  const model = createScriptedModel(...steps);
  const errors: unknown[] = [];
  const runTurn = createAgentTurn({
    model,
    tools: elicitationTools(),
    requester: { name: "Demo agent" },
    onError: (error) => errors.push(error),
  });
  const runtime = createTestRuntime(runTurn);
  return { model, errors, ada: createChatClient(runtime.fetch, { user: "ada" }) };
}

test("a model asks for a choice, a text and a confirmation, and reads the answers", async () => {
  const { model, ada } = setUp(
    { elicit_choice: { question: "Which seat?", options: ["aisle", "window", "aisle"] } },
    { elicit_input: { question: "Which e-mail?", format: "email" } },
    { elicit_confirm: { question: "Book it?" } },
    "Booked.",
  );
  const stream = await ada.send("c1");
  for (const answer of ["window", "ada@example.com", true]) {
    const { elicitationId, requester } = await stream.request();
    expect(requester).toEqual({ name: "Demo agent" });
    await ada.answer("c1", { elicitationId, action: "accept", content: { answer } });
  }
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([
    { type: "json", value: { answer: "window" } },
    { type: "json", value: { answer: "ada@example.com" } },
    { type: "json", value: { answer: true } },
  ]);
});

test("a model that names a fallback reads in words that the user left the choice to it", async () => {
  const options = ["aisle", "window"];
  const { model, ada } = setUp(
    { elicit_choice: { question: "Which seat?", options, fallback: "window" } },
    { elicit_choice: { question: "And back?", options, fallback: "roof" } },
    "Booked.",
  );
  const stream = await ada.send("c1");
  const { elicitationId, delegate } = await stream.request();
  expect(delegate).toBe(true);
  await ada.answer("c1", { elicitationId, action: "accept", delegated: true });
  await stream.done;
  const [left, mistake] = toolResultsSeen(model);
  const note = expect.stringMatching(/left it to you to decide.*neither a no nor silence/);
  expect(left).toEqual({ type: "json", value: { answer: "window", note } });
  expect(JSON.stringify(mistake)).toContain("The fallback does not fit its own question");
});

test("a choice that allows a free text answer tells the model whether it got an option or a text", async () => {
  const seat = { question: "Which seat?", options: ["aisle", "window"], other: true };
  const { model, ada } = setUp(
    { elicit_choice: seat },
    { elicit_choice: { ...seat, question: "And back?" } },
    "Booked.",
  );
  const stream = await ada.send("c1");
  for (const content of [{ answer_other: "By the exit" }, { answer: "aisle" }]) {
    const { elicitationId } = await stream.request();
    await ada.answer("c1", { elicitationId, action: "accept", content });
  }
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([
    { type: "json", value: { other: "By the exit" } },
    { type: "json", value: { answer: "aisle" } },
  ]);
});

test("a choice shows the labels of its options, a field shows its label, and the model gets the value", async () => {
  const aisle = { value: "aisle", label: "By the aisle" };
  const { model, ada } = setUp(
    { elicit_choice: { question: "Which seat?", options: [aisle, aisle, "window"] } },
    { elicit_input: { question: "Which e-mail?", title: "Work e-mail", placeholder: "ada@example.com" } },
    "Booked.",
  );
  const stream = await ada.send("c1");
  const seat = await stream.request();
  expect(seat.requestedSchema).toMatchObject({
    properties: {
      answer: {
        oneOf: [
          { const: "aisle", title: "By the aisle" },
          { const: "window", title: "window" },
        ],
      },
    },
  });
  await ada.answer("c1", {
    elicitationId: seat.elicitationId,
    action: "accept",
    content: { answer: "aisle" },
  });
  const mail = await stream.request();
  expect(mail.requestedSchema).toMatchObject({
    properties: { answer: { title: "Work e-mail", examples: ["ada@example.com"] } },
  });
  await ada.answer("c1", {
    elicitationId: mail.elicitationId,
    action: "accept",
    content: { answer: "a@b.example" },
  });
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([
    { type: "json", value: { answer: "aisle" } },
    { type: "json", value: { answer: "a@b.example" } },
  ]);
});

test("an option that the model recommends is marked but not selected", async () => {
  const window = { value: "window", label: "By the window", recommended: true };
  const { model, ada } = setUp(
    { elicit_choice: { question: "Which seat?", options: ["aisle", window] } },
    "Booked.",
  );
  const stream = await ada.send("c1");
  const { elicitationId, context, requestedSchema } = await stream.request();
  expect(context).toMatchObject({ fields: { answer: { recommended: { value: "window" } } } });
  expect(requestedSchema?.properties["answer"]).not.toHaveProperty("default");
  await ada.answer("c1", { elicitationId, action: "accept", content: { answer: "aisle" } });
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([{ type: "json", value: { answer: "aisle" } }]);
});

test.each(["elicit_choice", "elicit_input", "elicit_confirm"] as const)(
  "%s has a title for users and describes its result",
  async (name) => {
    const create = elicitationTools()[name];
    if (typeof create !== "function") throw new Error("not a function");
    const turn = {} as Turn;
    const { title, outputSchema } = create({
      turn,
      elicitor: () => {
        throw new Error("nothing is asked");
      },
      account: () => expect.unreachable(),
      requester: { name: "Demo agent" },
    });
    expect(title).toMatch(/^Ask the user/);
    const answer = name === "elicit_confirm" ? true : "window";
    const schema = asSchema(outputSchema);
    for (const output of [{ answer }, "The user declined."]) {
      await expect(schema.validate?.(output)).resolves.toMatchObject({ success: true });
    }
  },
);

test("a declined question is not asked again, but a different one is", async () => {
  const { model, ada } = setUp(
    { elicit_confirm: { question: "Delete A?" } },
    { elicit_confirm: { question: "Delete A?" }, "elicit_confirm#2": { question: "Delete B?" } },
    "Well.",
  );
  const stream = await ada.send("c1");
  const first = await stream.request();
  await ada.answer("c1", { elicitationId: first.elicitationId, action: "decline" });
  const second = await stream.request();
  expect(second.message).toBe("Delete B?");
  await ada.answer("c1", {
    elicitationId: second.elicitationId,
    action: "accept",
    content: { answer: true },
  });
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([
    { type: "json", value: { answer: false } },
    { type: "json", value: { answer: false } },
    { type: "json", value: { answer: true } },
  ]);
});

test("a model that asks for a password is pointed to a web page, and the user is not asked", async () => {
  const { model, ada } = setUp({ elicit_input: { question: "What is your password?" } }, "Sorry.");
  const stream = await ada.send("c1");
  await stream.done;
  expect(stream.chunks.some(({ type }) => type === "data-elicitation-request")).toBe(false);
  expect(JSON.stringify(toolResultsSeen(model))).toContain("asks for a secret");
});

test("when a turn runs again, a refused question stays refused, and a new question of the model is shown", async () => {
  const model = createScriptedModel(
    { elicit_confirm: { question: "Delete A?" } },
    { elicit_input: { question: "Which e-mail?" } },
    {
      elicit_confirm: { question: "Send the invoice to Bob?" },
      "elicit_confirm#2": { question: "Delete A?" },
    },
    "Well.",
  );
  const runTurn = createAgentTurn({
    model,
    tools: elicitationTools(),
    requester: { name: "Demo agent" },
    onError: () => {},
  });
  const startProcess = createMemoryProcesses();
  const first = startProcess(runTurn);
  const before = await first.ada.send("c1");
  const deleteA = await before.request();
  await first.ada.answer("c1", { ...deleteA, action: "decline" });
  const mail = await before.request();
  first.runner.die();

  const second = startProcess(runTurn);
  const recovered = second.runner.recover();
  const after = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  await second.ada.answer("c1", { ...mail, action: "accept", content: { answer: "ada@example.com" } });
  const invoice = await after.request(0, ({ message }) => message === "Send the invoice to Bob?");
  await second.ada.answer("c1", { ...invoice, action: "accept", content: { answer: true } });
  await after.done;
  await recovered;
  expect(toolResultsSeen(model).slice(-2)).toEqual([
    { type: "json", value: { answer: true } },
    { type: "json", value: { answer: false } },
  ]);
});
