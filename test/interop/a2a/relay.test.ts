import { TaskState } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { readAnswers } from "../../../src/a2a/wire/translate.ts";
import { CONTENT, FORM, PAGE } from "../recorded/questions.ts";
import { type Script, serveAgent } from "./agents.ts";
import { chatWith } from "./chat.ts";

const form = (elicitationId = "f1") => ({ elicitationId, mode: "form" as const, ...FORM });
const page = (elicitationId = "p1") => ({ elicitationId, mode: "url" as const, ...PAGE });

/** Asks a form, and ends with the answer that it got. */
const askForm: Script = (task) => {
  if (task.isNew) return task.ask([form()]);
  const read = readAnswers(task.message);
  task.artifact(JSON.stringify(read?.ok === true ? read.value : task.text));
  task.status(TaskState.TASK_STATE_COMPLETED);
};

const PEERS = [
  ["JSON-RPC, streaming", { transport: "JSONRPC", streaming: true }],
  ["JSON-RPC, without streams", { transport: "JSONRPC", streaming: false }],
  ["HTTP+JSON, streaming", { transport: "HTTP+JSON", streaming: true }],
  ["HTTP+JSON, without streams", { transport: "HTTP+JSON", streaming: false }],
  ["protocol 0.3 over JSON-RPC", { transport: "JSONRPC", streaming: true, legacy: true }],
  ["protocol 0.3 over HTTP+JSON", { transport: "HTTP+JSON", streaming: true, legacy: true }],
] as const;

describe.each(PEERS)("an agent on the SDK's server (%s)", (_, options) => {
  test("asks with a form, gets the answer, and its artifact becomes the tool's result", async () => {
    const agent = await serveAgent(askForm, options);
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    expect(await stream.request()).toMatchObject({
      mode: "form",
      message: FORM.message,
      requestedSchema: FORM.requestedSchema,
      requester: { name: "Contoso Travel", claimedName: "Travel Bot" },
      context: { trigger: "a2a_input_required" },
      toolCallId: "call_0_0",
    });
    await chat.answer(stream, "accept", CONTENT);
    await stream.done;
    expect(chat.results()).toContain('{\\"elicitationId\\":\\"f1\\",\\"action\\":\\"accept\\"');
    expect(chat.results()).toContain("Terrace");
    expect(agent.messages).toHaveLength(2);
    expect(agent.messages[1]).toMatchObject({ taskId: agent.messages[0]?.taskId || expect.any(String) });
    expect(chat.errors).toEqual([]);
    expect(chat.runtime.errors).toEqual([]);
  });

  test("requires an authorization, and the card is accepted when the task continues, without a message of the client", async () => {
    let finish = () => {};
    const agent = await serveAgent(async (task) => {
      task.ask([page()]);
      await new Promise<void>((resolve) => (finish = resolve));
      task.status(TaskState.TASK_STATE_WORKING, "Paying");
      task.artifact("Paid");
      task.status(TaskState.TASK_STATE_COMPLETED);
    }, options);
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    expect(await stream.request()).toMatchObject({
      mode: "url",
      url: PAGE.url,
      acceptMeans: "consent",
      service: { name: "Contoso Travel" },
      context: { trigger: "a2a_auth_required" },
    });
    expect(await (await chat.answer(stream, "accept")).json()).toMatchObject({ status: "consented" });
    finish();
    await stream.done;
    expect(JSON.stringify(stream.chunks)).toContain('"outcome":"accepted"');
    expect(chat.results()).toContain("Paid");
    expect(agent.messages).toHaveLength(1);
    expect(chat.errors).toEqual([]);
  });
});

describe.each([PEERS[0], PEERS[4]])("an agent on the SDK's server (%s)", (_, options) => {
  test("asks as text without the extension, and gets a text as the answer", async () => {
    const agent = await serveAgent(
      (task) => {
        if (task.isNew) return task.status(TaskState.TASK_STATE_INPUT_REQUIRED, "Where to?");
        task.artifact(`Trip to ${task.text}`);
        task.status(TaskState.TASK_STATE_COMPLETED);
      },
      { ...options, extension: false },
    );
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    expect(await stream.request()).toMatchObject({ mode: "form", message: "Where to?" });
    await chat.answer(stream, "accept", { answer: "Rome" });
    await stream.done;
    expect(chat.results()).toContain("Trip to Rome");
  });
});
