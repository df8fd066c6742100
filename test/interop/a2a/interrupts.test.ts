import { TaskState } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { describe, expect, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import {
  ELICITATION_EXTENSION,
  readAnswers,
  readModes,
  writeWithdrawn,
} from "../../../src/a2a/wire/translate.ts";
import { type ReadStream, createChatClient } from "../../stages/chat-client.ts";
import { CONTENT, FORM, PAGE } from "../recorded/questions.ts";
import { type Script, serveAgent } from "./agents.ts";
import { BOOK, chatWith } from "./chat.ts";

const form = (elicitationId = "f1") => ({ elicitationId, mode: "form" as const, ...FORM });
const page = (elicitationId = "p1", url = PAGE.url) => ({
  elicitationId,
  mode: "url" as const,
  message: PAGE.message,
  url,
});

/** Asks once, and rejects the task unless the answer is an accept. */
const asking =
  (...questions: Parameters<Parameters<Script>[0]["ask"]>[0]): Script =>
  (task) => {
    if (task.isNew) return task.ask(questions);
    const read = readAnswers(task.message);
    const actions = read?.ok === true ? read.value.map(({ action }) => action) : [];
    task.artifact(actions.join());
    task.status(
      actions.includes("accept") ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_REJECTED,
      "Without that I cannot book.",
    );
  };

const requestsIn = (stream: ReadStream) => [
  ...new Map(
    stream.chunks
      .filter(({ type }) => type === "data-elicitation-request")
      .map(({ id, data }) => [id, data] as const),
  ).values(),
];
const outcomesIn = (stream: ReadStream) =>
  requestsIn(stream).map((request) => /"outcome":"(\w+)"/.exec(JSON.stringify(request))?.[1]);

describe("a declined or cancelled request", () => {
  test.each(["decline", "cancel"] as const)(
    "of a form is sent to the agent as %s, and the model learns it",
    async (action) => {
      const agent = await serveAgent(asking(form()));
      const chat = chatWith(agent.url);
      const stream = await chat.send();
      await chat.answer(stream, action);
      await stream.done;
      expect(readAnswers(agent.messages[1] ?? {})).toEqual({
        ok: true,
        value: [{ elicitationId: "f1", action }],
      });
      expect(chat.results()).toContain("The information was not provided: the user");
      expect(agent.cancelled).toEqual([]);
    },
  );

  test("of a page is sent to the agent, which ends the task", async () => {
    const agent = await serveAgent(asking(page()));
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await chat.answer(stream, "decline");
    await stream.done;
    expect(readAnswers(agent.messages[1] ?? {})).toMatchObject({
      value: [{ elicitationId: "p1", action: "decline" }],
    });
    expect(chat.results()).toContain("the user declined to connect Contoso Travel");
  });

  test("cancels the task of an agent without the extension", async () => {
    const agent = await serveAgent(({ status }) => status(TaskState.TASK_STATE_INPUT_REQUIRED, "Where to?"), {
      extension: false,
    });
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await chat.answer(stream, "decline");
    await stream.done;
    expect(agent.cancelled).toHaveLength(1);
    expect(agent.messages).toHaveLength(1);
    expect(chat.results()).toContain("the user declined");
  });

  test("does not change the answers to other requests of the same message", async () => {
    const agent = await serveAgent(asking(form("f1"), form("f2")));
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    const [first, second] = [await stream.request(0), await stream.request(1)];
    expect([first.round?.size, second.round?.size]).toEqual([2, 2]);
    await chat.answer(stream, "accept", CONTENT, 0);
    await chat.ada.answer("c1", { elicitationId: second.elicitationId, action: "decline" });
    await stream.done;
    expect(readAnswers(agent.messages[1] ?? {})).toMatchObject({
      value: [
        { elicitationId: "f1", action: "accept", content: CONTENT },
        { elicitationId: "f2", action: "decline" },
      ],
    });
    expect(chat.results()).toContain("accept,decline");
  });

  test("that expires is sent to the agent as cancel", async () => {
    const agent = await serveAgent(asking(form()));
    const chat = chatWith(agent.url, BOOK, { expiresInMs: 300 });
    const stream = await chat.send();
    await stream.done;
    expect(readAnswers(agent.messages[1] ?? {})).toMatchObject({ value: [{ action: "cancel" }] });
    expect(outcomesIn(stream)).toEqual(["expired"]);
  });
});

describe("a required authorization without a page URL", () => {
  const WORDS = "Sign in at https://idp.example.com/x and come back.";

  test("has a card with the agent's text and no field, which ends when the task continues", async () => {
    let finish = () => {};
    const agent = await serveAgent(
      async (task) => {
        task.status(TaskState.TASK_STATE_AUTH_REQUIRED, WORDS);
        await new Promise<void>((resolve) => (finish = resolve));
        task.artifact("Booked");
        task.status(TaskState.TASK_STATE_COMPLETED);
      },
      { extension: false },
    );
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    expect(await stream.request()).toMatchObject({
      mode: "form",
      message: WORDS,
      requestedSchema: { properties: {} },
      context: { trigger: "a2a_auth_required" },
    });
    finish();
    await stream.done;
    expect(outcomesIn(stream)).toEqual(["accepted"]);
    expect(agent.messages).toHaveLength(1);
    expect(chat.results()).toContain("Booked");
  });

  test("cancels the task when the user declines", async () => {
    const agent = await serveAgent(({ status }) => status(TaskState.TASK_STATE_AUTH_REQUIRED, WORDS), {
      extension: false,
    });
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await chat.answer(stream, "decline");
    await stream.done;
    expect(agent.cancelled).toHaveLength(1);
    expect(chat.results()).toContain("the user declined to connect Contoso Travel");
  });
});

describe("several requests of one task", () => {
  test("have a card each: a page, a page of an agent behind it, then a form", async () => {
    const steps: (() => void)[] = [];
    const next = () => new Promise<void>((resolve) => void steps.push(resolve));
    const agent = await serveAgent(async (task) => {
      if (!task.isNew) {
        task.artifact("Booked");
        return task.status(TaskState.TASK_STATE_COMPLETED);
      }
      task.ask([page("p1")]);
      await next();
      task.ask([page("p2", "https://hotel.example.com/consent")]);
      await next();
      task.ask([form()]);
    });
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await chat.answer(stream, "accept");
    await expect.poll(() => steps.length).toBe(1);
    steps[0]?.();
    await stream.request(0, ({ url }) => url === "https://hotel.example.com/consent");
    await expect.poll(() => steps.length).toBe(2);
    steps[1]?.();
    const asked = await stream.request(0, ({ mode }) => mode === "form");
    await chat.ada.answer("c1", { elicitationId: asked.elicitationId, action: "accept", content: CONTENT });
    await stream.done;
    expect(outcomesIn(stream)).toEqual(["accepted", "accepted", "accepted"]);
    expect(chat.results()).toContain("Booked");
  });

  test("are limited in number", async () => {
    const secret = {
      ...form(),
      requestedSchema: { type: "object" as const, properties: { password: { type: "string" } } },
    };
    const agent = await serveAgent((task) => task.ask([secret]));
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await stream.done;
    expect(requestsIn(stream)).toEqual([]);
    expect(readAnswers(agent.messages[1] ?? {})).toMatchObject({ value: [{ action: "decline" }] });
    expect(agent.messages).toHaveLength(51);
    expect(agent.cancelled).toHaveLength(1);
    expect(chat.results()).toContain("Contoso Travel has asked 50 times in one call.");
  });
});

describe("a card is withdrawn", () => {
  test("when the agent withdraws its page and continues", async () => {
    const seen = createDeferred<void>();
    const agent = await serveAgent(async (task) => {
      task.ask([page()]);
      await seen.promise;
      task.status(TaskState.TASK_STATE_WORKING, writeWithdrawn(["p1"]));
      task.artifact("Booked anyway");
      task.status(TaskState.TASK_STATE_COMPLETED);
    });
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await stream.request();
    seen.resolve();
    await stream.done;
    expect(outcomesIn(stream)).toEqual(["withdrawn"]);
    expect(chat.results()).toContain("Booked anyway");
  });

  test("when another client cancels the task while the user thinks", async () => {
    let taskId = "";
    const agent = await serveAgent((task) => {
      ({ taskId } = task);
      task.ask([form()]);
    });
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await stream.request();
    const other = await new ClientFactory().createFromUrl(agent.url);
    await other.cancelTask({ tenant: "", id: taskId, metadata: undefined });
    await stream.done;
    expect(outcomesIn(stream)).toEqual(["withdrawn"]);
    expect(chat.results()).toContain("Contoso Travel has cancelled the task.");
  });

  test("when the agent fails while a page is open", async () => {
    const seen = createDeferred<void>();
    const agent = await serveAgent(async (task) => {
      task.ask([page()]);
      await seen.promise;
      task.status(TaskState.TASK_STATE_FAILED, "The bank is closed.");
    });
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await stream.request();
    seen.resolve();
    await stream.done;
    expect(outcomesIn(stream)).toEqual(["withdrawn"]);
    expect(JSON.stringify(stream.chunks)).toContain("Contoso Travel has failed. The bank is closed.");
  });

  test("when the user stops the turn, which cancels the task", async () => {
    const agent = await serveAgent(asking(form()));
    const chat = chatWith(agent.url);
    const stream = await chat.send();
    await stream.request();
    await chat.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
    await stream.done;
    await expect.poll(() => agent.cancelled).toHaveLength(1);
    expect(outcomesIn(stream)).toEqual(["withdrawn"]);
  });
});

describe("the agent gets the modes that the chat supports", () => {
  test.each([
    [
      { form: {}, url: {} },
      { form: true, url: true },
    ],
    [{ form: {} }, { form: true, url: false }],
  ])("which are %o", async (elicitation, modes) => {
    const requested: (readonly string[])[] = [];
    const agent = await serveAgent((task) => {
      requested.push(task.requestedExtensions);
      task.status(TaskState.TASK_STATE_COMPLETED, "Hello");
    });
    const chat = chatWith(agent.url);
    const stream = await chat.send("c1", { capabilities: { elicitation } });
    await stream.done;
    expect(requested).toEqual([[ELICITATION_EXTENSION]]);
    expect(readModes(agent.messages[0] ?? {})).toEqual(modes);
    expect(chat.results()).toContain("Hello");
  });

  test.each(["JSONRPC", "HTTP+JSON"] as const)("also in protocol 0.3 (%s)", async (transport) => {
    const requested: (readonly string[])[] = [];
    const agent = await serveAgent(
      (task) => {
        requested.push(task.requestedExtensions);
        task.status(TaskState.TASK_STATE_COMPLETED, "Hello");
      },
      { transport, legacy: true },
    );
    const stream = await chatWith(agent.url).send();
    await stream.done;
    expect(requested).toEqual([[ELICITATION_EXTENSION]]);
    expect(readModes(agent.messages[0] ?? {})).toEqual({ form: true, url: true });
  });

  test("or, for an anonymous chat, none: the task is cancelled, and the model gets the question", async () => {
    const requested: (readonly string[])[] = [];
    const agent = await serveAgent((task) => {
      requested.push(task.requestedExtensions);
      task.status(TaskState.TASK_STATE_INPUT_REQUIRED, "Where to?");
    });
    const chat = chatWith(agent.url);
    const stream = await createChatClient(chat.runtime.fetch).send("c2");
    await stream.done;
    expect(requested).toEqual([[]]);
    expect(requestsIn(stream)).toEqual([]);
    expect(agent.cancelled).toHaveLength(1);
    expect(chat.results()).toContain("Where to?");
  });
});

test("the agent's status texts are shown as progress of the tool", async () => {
  const seen = createDeferred<void>();
  const agent = await serveAgent(async (task) => {
    task.status(TaskState.TASK_STATE_WORKING, "Searching flights");
    await seen.promise;
    task.artifact("Two flights");
    task.status(TaskState.TASK_STATE_COMPLETED);
  });
  const chat = chatWith(agent.url);
  const stream = await chat.send();
  await expect
    .poll(() => stream.chunks)
    .toContainEqual(
      expect.objectContaining({ output: { progress: "Searching flights" }, preliminary: true }),
    );
  seen.resolve();
  await stream.done;
  expect(chat.results()).toContain("Two flights");
  expect(chat.results()).not.toContain("Searching");
});

test("two users of one agent have separate tasks and answer their own requests", async () => {
  const agent = await serveAgent((task) => {
    if (task.isNew) return task.status(TaskState.TASK_STATE_INPUT_REQUIRED, "Where to?");
    task.artifact(`${task.text} for ${task.taskId}`);
    task.status(TaskState.TASK_STATE_COMPLETED);
  });
  const [one, two] = [chatWith(agent.url), chatWith(agent.url)];
  const streams = [await one.send(), await two.send()] as const;
  await two.answer(streams[1], "accept", { answer: "Oslo" });
  await streams[1].done;
  await one.answer(streams[0], "accept", { answer: "Rome" });
  await streams[0].done;
  expect([one.results(), two.results()]).toEqual([
    expect.stringContaining("Rome for"),
    expect.stringContaining("Oslo for"),
  ]);
  expect(new Set(agent.messages.map(({ taskId }) => taskId).filter((id) => id !== "")).size).toBe(2);
});
