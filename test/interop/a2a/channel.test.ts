import { TaskState } from "@a2a-js/sdk";
import { InMemoryTaskStore } from "@a2a-js/sdk/server";
import { describe, expect, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import {
  ELICITATION_EXTENSION,
  readAnswers,
  readModes,
  writeWithdrawn,
} from "../../../src/a2a/wire/translate.ts";
import { CONTENT, FORM, PAGE } from "../recorded/questions.ts";
import { type Script, serveAgent } from "./agents.ts";
import { openPage } from "./page.ts";

const form = (elicitationId = "f1") => ({ elicitationId, mode: "form" as const, ...FORM });
const page = (elicitationId = "p1") => ({ elicitationId, mode: "url" as const, ...PAGE });

/** Ends with the answer that it got. */
const tell: Script = (task) => {
  const read = readAnswers(task.message);
  task.artifact(JSON.stringify(read?.ok === true ? read.value : task.text));
  task.status(TaskState.TASK_STATE_COMPLETED);
};
const asking =
  (...questions: Parameters<Parameters<Script>[0]["ask"]>[0]): Script =>
  (task) =>
    task.isNew ? task.ask(questions) : tell(task);

// The page follows tasks as the relay does, and relay.test.ts has the other transports.
const PEERS = [
  ["JSON-RPC, streaming", { transport: "JSONRPC", streaming: true }],
  ["HTTP+JSON, without streams", { transport: "HTTP+JSON", streaming: false }],
  ["protocol 0.3", { transport: "JSONRPC", streaming: true, legacy: true }],
] as const;

describe.each(PEERS)("a page that talks to an agent on the SDK's server (%s)", (_, options) => {
  test("shows the agent's form, sends the answer, and gets the result", async () => {
    const agent = await serveAgent(asking(form()), options);
    const { channel, client, item, statuses } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    const { id, request, conversationId } = await item();
    expect(conversationId).toBe("a2a");
    expect(request).toMatchObject({
      ...FORM,
      mode: "form",
      requester: { name: "Contoso Travel", claimedName: "Travel Bot" },
      context: { trigger: "a2a_input_required" },
    });
    await client.accept(id, CONTENT);
    expect(await result).toMatchObject({
      state: "completed",
      text: JSON.stringify([{ elicitationId: "f1", action: "accept", content: CONTENT }]),
    });
    expect(statuses()).toEqual(["accepted"]);
    expect(readModes(agent.messages[0] ?? {})).toEqual({ form: true, url: true });
  });

  test("opens the agent's page, sends nothing, and ends the card when the task continues", async () => {
    let finish = () => {};
    const agent = await serveAgent(async (task) => {
      task.ask([page()]);
      await new Promise<void>((resolve) => (finish = resolve));
      task.artifact("Booked");
      task.status(TaskState.TASK_STATE_COMPLETED);
    }, options);
    const { channel, client, item, statuses } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    const { id, request } = await item();
    expect(request).toMatchObject({ ...PAGE, mode: "url", acceptMeans: "consent" });
    void client.connect(id);
    await expect.poll(statuses).toEqual(["opened"]);
    finish();
    expect(await result).toMatchObject({ state: "completed", text: "Booked" });
    expect(statuses()).toEqual(["accepted"]);
    expect(agent.messages).toHaveLength(1);
  });
});

describe("a page that talks to an agent", () => {
  test.each(["decline", "cancel"] as const)("sends the agent a %s of a form", async (action) => {
    const agent = await serveAgent(asking(form()));
    const { channel, client, item } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    await client[action]((await item()).id);
    expect((await result).text).toBe(JSON.stringify([{ elicitationId: "f1", action }]));
  });

  test("sends the agent a decline of a page", async () => {
    const agent = await serveAgent(asking(page()));
    const { channel, client, item, statuses } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    await client.decline((await item()).id);
    expect((await result).text).toBe(JSON.stringify([{ elicitationId: "p1", action: "decline" }]));
    expect(statuses()).toEqual(["declined"]);
  });

  test("sends the answers of a round together", async () => {
    const agent = await serveAgent(asking(form("f1"), form("f2")));
    const { channel, client, item } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    const [one, two] = [await item(0), await item(1)];
    expect(one.request.round).toEqual({ id: two.request.round?.id, size: 2 });
    await client.accept(one.id, CONTENT);
    expect(agent.messages).toHaveLength(1);
    await client.decline(two.id);
    expect(JSON.parse((await result).text)).toEqual([
      { elicitationId: "f1", action: "accept", content: CONTENT },
      { elicitationId: "f2", action: "decline" },
    ]);
    expect(agent.messages).toHaveLength(2);
  });

  test("does not send invalid content, and shows the error to the user", async () => {
    const agent = await serveAgent(asking(form()));
    const { channel, client, item } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    const { id } = await item();
    await client.accept(id, { ...CONTENT, seats: 9 });
    expect(await item()).toMatchObject({ status: "pending", fieldErrors: { seats: { code: "too-large" } } });
    expect(agent.messages).toHaveLength(1);
    await client.accept(id, CONTENT);
    expect((await result).state).toBe("completed");
  });

  test("sends no answer of a round while one is invalid, and then sends all", async () => {
    const agent = await serveAgent(asking(form("f1"), form("f2")));
    const { channel, client, item } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    const [one, two] = [await item(0), await item(1)];
    await client.accept(one.id, CONTENT);
    await client.accept(two.id, { ...CONTENT, seats: 9 });
    expect(agent.messages).toHaveLength(1);
    await client.accept(one.id, CONTENT);
    await client.accept(two.id, CONTENT);
    expect(JSON.parse((await result).text)).toHaveLength(2);
  });

  test("withdraws requests that the agent withdraws, and those of a failed task", async () => {
    const [asked, withdrawn] = [createDeferred<void>(), createDeferred<void>()];
    const agent = await serveAgent(async (task) => {
      task.ask([page("p1"), page("p2")]);
      await asked.promise;
      task.status(TaskState.TASK_STATE_AUTH_REQUIRED, {
        ...writeWithdrawn(["p1"]),
        metadata: { [ELICITATION_EXTENSION]: { requests: [page("p2")], withdrawn: ["p1"] } },
      });
      await withdrawn.promise;
      task.status(TaskState.TASK_STATE_FAILED, "The bank is closed.");
    });
    const { channel, statuses } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    await expect.poll(statuses).toEqual(["pending", "pending"]);
    asked.resolve();
    await expect.poll(statuses).toEqual(["withdrawn", "pending"]);
    withdrawn.resolve();
    expect(await result).toMatchObject({ state: "failed", text: "The bank is closed." });
    expect(statuses()).toEqual(["withdrawn", "withdrawn"]);
  });

  test("cancels the task and withdraws the card when it aborts", async () => {
    const agent = await serveAgent(asking(form()));
    const { channel, item, statuses } = await openPage(agent.url);
    const stop = new AbortController();
    const result = channel.send("Book a trip", { signal: stop.signal });
    await item();
    stop.abort(new Error("The person has left."));
    await expect(result).rejects.toThrow("The person has left.");
    expect(agent.cancelled).toHaveLength(1);
    expect(statuses()).toEqual(["withdrawn"]);
  });

  test("gets the texts of the agent while it works", async () => {
    const heard = createDeferred<void>();
    const agent = await serveAgent(async (task) => {
      task.status(TaskState.TASK_STATE_WORKING, "Searching");
      await heard.promise;
      task.status(TaskState.TASK_STATE_COMPLETED, "Found two.");
    });
    const said: string[] = [];
    const { channel } = await openPage(agent.url, { onUpdate: ({ text }) => said.push(text) });
    const result = channel.send("Find flights");
    await expect.poll(() => said).toContain("Searching");
    heard.resolve();
    expect((await result).text).toBe("Found two.");
  });

  test("stays in one conversation with the agent", async () => {
    const agent = await serveAgent(tell);
    const { channel } = await openPage(agent.url);
    const first = await channel.send("One");
    const second = await channel.send("Two");
    expect([second.contextId, second.taskId === first.taskId]).toEqual([first.contextId, false]);
  });

  test("reattaches to a task that was started before the page was reloaded", async () => {
    const agent = await serveAgent(asking(form()));
    let taskId = "";
    const before = await openPage(agent.url, { onUpdate: (task) => (taskId = task.taskId ?? "") });
    const lost = before.channel.send("Book a trip");
    lost.catch(() => {});
    await before.item();
    const after = await openPage(agent.url);
    const result = after.channel.follow(taskId);
    await after.client.accept((await after.item()).id, CONTENT);
    expect((await result).state).toBe("completed");
    // The first page shows that the question was answered elsewhere.
    await lost;
    expect(before.statuses()).toEqual(["withdrawn"]);
  });

  test("keeps its card while the agent's process is killed and restarted", async () => {
    const store = new InMemoryTaskStore();
    const killed = await serveAgent(asking(form()), { store });
    const { channel, client, item, statuses } = await openPage(killed.url);
    const result = channel.send("Book a trip");
    const { id } = await item();
    await killed.crash();
    expect(statuses()).toEqual(["pending"]);
    await serveAgent(asking(form()), { store, port: Number(new URL(killed.url).port) });
    await client.accept(id, CONTENT);
    expect((await result).state).toBe("completed");
  });
});

describe("an agent without the extension", () => {
  const plain = { extension: false };
  const ask =
    (state: TaskState, words: string): Script =>
    (task) =>
      task.isNew ? task.status(state, words) : tell(task);

  test("asks with its text and one field", async () => {
    const agent = await serveAgent(ask(TaskState.TASK_STATE_INPUT_REQUIRED, "Where to?"), plain);
    const { channel, client, item } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    const { id, request } = await item();
    expect(request).toMatchObject({ mode: "form", message: "Where to?" });
    await client.accept(id, { answer: "Rome" });
    expect((await result).text).toBe('"Rome"');
    expect(agent.messages[0]?.extensions).toEqual([]);
  });

  test("gets a field with a warning if it asks for a password", async () => {
    const agent = await serveAgent(ask(TaskState.TASK_STATE_INPUT_REQUIRED, "Your password?"), plain);
    const { channel, client, item } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    const { id, request } = await item();
    expect(request.requestedSchema).toMatchObject({ properties: { answer: { writeOnly: true } } });
    await client.decline(id);
    expect((await result).state).toBe("canceled");
  });

  test("gets no field, only its text, if it requires an authorization", async () => {
    const words = "Sign in at https://idp.example.com";
    const agent = await serveAgent(ask(TaskState.TASK_STATE_AUTH_REQUIRED, words), plain);
    const { channel, client, item, statuses } = await openPage(agent.url);
    const result = channel.send("Book a trip");
    const { id, request } = await item();
    expect(request).toMatchObject({ mode: "form", message: words, requestedSchema: { properties: {} } });
    await client.decline(id);
    expect((await result).state).toBe("canceled");
    expect(agent.cancelled).toHaveLength(1);
    expect(statuses()).toEqual(["declined"]);
  });
});
