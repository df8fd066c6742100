import { TaskState } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { type Script, type ServedAgent, serveAgent } from "./agents.ts";
import { chatWith } from "./chat.ts";

const KAGENT = "https://kagent.dev/extensions/hitl/v1";
const AGENTSTACK_FORM = "https://a2a-extensions.agentstack.beeai.dev/ui/form_request/v1";
const AGENTSTACK_OAUTH = "https://a2a-extensions.agentstack.beeai.dev/auth/oauth/v1";

const saying = (uri: string, payload: unknown, text = "Please tell me.") => ({
  text,
  extensions: [uri],
  metadata: { [uri]: payload },
});
const payloadOf = (agent: ServedAgent, uri: string) => agent.messages[1]?.metadata?.[uri];
const asking =
  (state: TaskState, ...said: Parameters<typeof saying>): Script =>
  (task) => {
    if (task.isNew) return task.status(state, saying(...said));
    task.artifact("Booked");
    task.status(TaskState.TASK_STATE_COMPLETED);
  };

describe("an agent with the extension of kagent", () => {
  const QUESTIONS = {
    type: "ask_user_request",
    id: "ask-1",
    questions: [{ question: "Which region?", choices: ["us-east-1", "eu-central-1"], multiple: false }],
  };

  test.each(["JSONRPC", "HTTP+JSON"] as const)(
    "asks with choices, and gets the answer (%s)",
    async (transport) => {
      const requested: (readonly string[])[] = [];
      const ask = asking(TaskState.TASK_STATE_INPUT_REQUIRED, KAGENT, QUESTIONS);
      const agent = await serveAgent(
        (task) => {
          requested.push(task.requestedExtensions);
          return ask(task);
        },
        { transport, extension: false, others: [KAGENT] },
      );
      const chat = chatWith(agent.url);
      const stream = await chat.send();
      expect(await stream.request()).toMatchObject({
        message: "Please tell me.",
        requestedSchema: { properties: { answer1: { enum: ["us-east-1", "eu-central-1"] } } },
      });
      await chat.answer(stream, "accept", { answer1: "us-east-1" });
      await stream.done;
      expect(requested).toEqual([[KAGENT], [KAGENT]]);
      expect(agent.messages[1]?.extensions).toEqual([KAGENT]);
      expect(payloadOf(agent, KAGENT)).toEqual({
        type: "ask_user_response",
        id: "ask-1",
        answers: [{ answer: ["us-east-1"] }],
      });
      expect(chat.results()).toContain("Booked");
    },
  );

  test("has its task cancelled when the user declines, because the extension has no message for that", async () => {
    const agent = await serveAgent(asking(TaskState.TASK_STATE_INPUT_REQUIRED, KAGENT, QUESTIONS), {
      extension: false,
      others: [KAGENT],
    });
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await chat.answer(stream, "decline");
    await stream.done;
    expect(agent.messages).toHaveLength(1);
    expect(agent.cancelled).toHaveLength(1);
    expect(chat.results()).toContain("the user declined");
  });

  test("cannot ask for a secret: the task is cancelled without a card", async () => {
    const questions = [{ question: "What is your API key?", choices: [] }];
    const agent = await serveAgent(
      asking(TaskState.TASK_STATE_INPUT_REQUIRED, KAGENT, { ...QUESTIONS, questions }),
      { extension: false, others: [KAGENT] },
    );
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await stream.done;
    expect(JSON.stringify(stream.chunks)).not.toContain("data-elicitation-request");
    expect(agent.cancelled).toHaveLength(1);
  });
});

describe("an agent with the extensions of AgentStack", () => {
  test("asks with its form, and gets the values with their types (protocol 0.3)", async () => {
    const fields = [
      { id: "name", type: "text", label: "Name", required: true },
      { id: "terms", type: "checkbox", label: "Terms", content: "I agree", required: true },
    ];
    const agent = await serveAgent(
      asking(TaskState.TASK_STATE_INPUT_REQUIRED, AGENTSTACK_FORM, { title: "Book a trip", fields }),
      { legacy: true, extension: false, others: [AGENTSTACK_FORM] },
    );
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    expect(await stream.request()).toMatchObject({ message: "Book a trip" });
    await chat.answer(stream, "accept", { name: "Ada", terms: ["ticked"] });
    await stream.done;
    expect(payloadOf(agent, AGENTSTACK_FORM)).toEqual({
      values: { name: { type: "text", value: "Ada" }, terms: { type: "checkbox", value: true } },
    });
  });

  test("that sends an OAuth request gets no code, and the user sees its text without a link", async () => {
    const request = { authorization_endpoint_url: "https://idp.example.com/authorize?state=1" };
    const agent = await serveAgent(
      asking(TaskState.TASK_STATE_AUTH_REQUIRED, AGENTSTACK_OAUTH, request, "Please sign in."),
      { extension: false, others: [AGENTSTACK_OAUTH] },
    );
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    expect(await stream.request()).toMatchObject({ mode: "form", message: "Please sign in." });
    await chat.answer(stream, "decline");
    await stream.done;
    expect(JSON.stringify(stream.chunks)).not.toContain("idp.example.com");
    expect(agent.messages).toHaveLength(1);
    expect(agent.cancelled).toHaveLength(1);
  });
});
