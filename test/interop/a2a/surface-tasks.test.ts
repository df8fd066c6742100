/** Tests for the owner, the processes and the lifetime of a task. */
import { TaskState } from "@a2a-js/sdk";
import {
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import { type RunTurn, createMemoryTurnStream } from "elicit-kit/runtime";
import type { TurnStream } from "elicit-kit/runtime/ports";
import { describe, expect, test } from "vitest";
import { CITY, CONNECT, asking, text } from "../../stages/test-runtime.ts";
import { caller, collect, questionsOf, replyOf, serve, sharedPorts, stateOf, statesOf } from "./served.ts";

const {
  TASK_STATE_AUTH_REQUIRED: AUTH_REQUIRED,
  TASK_STATE_CANCELED: CANCELED,
  TASK_STATE_COMPLETED: COMPLETED,
  TASK_STATE_INPUT_REQUIRED: INPUT_REQUIRED,
  TASK_STATE_WORKING: WORKING,
} = TaskState;
const ACCEPT = { action: "accept", content: { city: "Rome" } } as const;

describe.each(["JSONRPC", "HTTP+JSON"] as const)("a task (%s)", (transport) => {
  test("cannot be found by another user, nor through another client of the same user", async () => {
    const served = serve(asking(CITY));
    const ada = await caller(served, { transport, client: "one" });
    const task = await ada.send("Book");
    const [question] = questionsOf(task);
    const strangers = [
      await caller(served, { transport, user: "bob", client: "one" }),
      await caller(served, { transport, client: "two" }),
    ];
    for (const stranger of strangers) {
      const { elicitationId } = question!;
      await expect(stranger.get(task.id)).rejects.toThrow(TaskNotFoundError);
      await expect(stranger.answer(task, { elicitationId, ...ACCEPT })).rejects.toThrow(TaskNotFoundError);
      await expect(
        stranger.client.cancelTask({ tenant: "", id: task.id, metadata: undefined }),
      ).rejects.toThrow(TaskNotFoundError);
      await expect(collect(stranger.client.resubscribeTask({ tenant: "", id: task.id }))).rejects.toThrow(
        TaskNotFoundError,
      );
    }
    expect(stateOf(await ada.get(task.id))).toBe(INPUT_REQUIRED);
  });

  test("takes no message, subscription or cancellation after its end", async () => {
    const ada = await caller(
      serve(async function* run() {
        yield* text("Done.");
      }),
      { transport },
    );
    const task = await ada.send("Go");
    await expect(ada.send("More", { taskId: task.id })).rejects.toThrow(UnsupportedOperationError);
    await expect(collect(ada.client.resubscribeTask({ tenant: "", id: task.id }))).rejects.toThrow(
      UnsupportedOperationError,
    );
    await expect(ada.client.cancelTask({ tenant: "", id: task.id, metadata: undefined })).rejects.toThrow(
      TaskNotCancelableError,
    );
  });

  test("can be cancelled: its question is withdrawn, and its turn is stopped", async () => {
    const served = serve(asking(CITY));
    const ada = await caller(served, { transport });
    const task = await ada.send("Book");
    const [question] = questionsOf(task);
    const cancelled = await ada.client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
    expect(stateOf(cancelled)).toBe(CANCELED);
    expect(stateOf(await ada.get(task.id))).toBe(CANCELED);
    const record = await served.runtime.elicitations.get(question!.elicitationId);
    expect(record?.status).toBe("withdrawn");
  });

  test("continues when its stream is lost, and a subscription shows it again", async () => {
    const served = serve(asking(CONNECT));
    const ada = await caller(served, { transport });
    const lost = new AbortController();
    const stream = ada.stream("Connect", {}, { signal: lost.signal });
    const first = await stream.next();
    lost.abort();
    await stream.next().catch(() => undefined);
    const task = first.value?.payload?.$case === "task" ? first.value.payload.value : undefined;
    const waiting = await ada.until(task!.id, AUTH_REQUIRED);
    const again = ada.client.resubscribeTask({ tenant: "", id: task!.id }, ada.options);
    const snapshot = await again.next();
    await served.runtime.elicitations.complete(questionsOf(waiting)[0]!.elicitationId);
    const events = [...(snapshot.done === true ? [] : [snapshot.value]), ...(await collect(again))];
    expect(statesOf(events)).toEqual([AUTH_REQUIRED, WORKING, COMPLETED]);
    expect([...served.errors, ...served.runtime.errors]).toEqual([]);
  });

  test("is not started by a message that requests push notifications", async () => {
    const ada = await caller(serve(asking(CITY)), { transport });
    const url = "https://hook.example.com";
    const push = { tenant: "", id: "p1", taskId: "", url, token: "", authentication: undefined };
    const started = ada.send("Book", {}, { taskPushNotificationConfig: push });
    await expect(started).rejects.toThrow(PushNotificationNotSupportedError);
  });
});

test("a task can ask in one process and be answered in another", async () => {
  const ports = sharedPorts();
  const here = await caller(serve(asking(CITY), ports));
  const there = await caller(serve(asking(CITY), ports));
  const task = await here.send("Book");
  expect(await there.get(task.id)).toEqual(await here.get(task.id));
  const { elicitationId } = questionsOf(await there.get(task.id))[0]!;
  const ended = await there.answer(task, { elicitationId, ...ACCEPT });
  expect(replyOf(ended)).toContain("Rome");
  expect(await here.get(task.id)).toEqual(ended);
});

test.each(["a reply", "a stream", "a subscription", "a connection"])(
  "a task continues when a client leaves %s",
  async (what) => {
    const stream = createMemoryTurnStream();
    let readers = 0;
    const counted: TurnStream = {
      ...stream,
      async *read(turnId, options) {
        readers += 1;
        try {
          yield* stream.read(turnId, options);
        } finally {
          readers -= 1;
        }
      },
    };
    const waits: RunTurn = async function* run(turn) {
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      yield* text("Stopped.");
    };
    const served = serve(waits, { ports: { stream: counted } });
    const ada = await caller(served);
    const task = await ada.send("Go", {}, { returnImmediately: true });
    const leaving = new AbortController();
    const { signal } = leaving;
    const events =
      what === "a subscription"
        ? ada.client.resubscribeTask({ tenant: "", id: task.id }, { ...ada.options, signal })
        : ada.stream("Go", {}, { signal });
    if (what === "a connection") {
      const url = `https://agent.example.com/run/v1/a2a/tasks/${task.id}:subscribe`;
      const headers = { authorization: "Bearer ada", "a2a-version": "1.0" };
      const { body } = await served.fetch(url, { headers });
      const reader = body?.getReader();
      await reader?.read();
      await expect.poll(() => readers).toBeGreaterThan(0);
      await reader?.cancel();
      return expect.poll(() => readers).toBe(0);
    }
    const left = what === "a reply" ? ada.send("Go", {}, {}, { signal }) : collect(events);
    await expect.poll(() => readers).toBeGreaterThan(0);
    leaving.abort();
    await left.catch(() => undefined);
    await expect.poll(() => readers).toBe(0);
  },
);

test("a message that is sent twice starts one task", async () => {
  const ada = await caller(serve(asking(CITY)));
  const messageId = crypto.randomUUID();
  const [one, two] = await Promise.all([ada.send("Book", { messageId }), ada.send("Book", { messageId })]);
  expect(one.id).toBe(two.id);
});

test("a message that names another context than its task is refused", async () => {
  const ada = await caller(serve(asking(CITY)));
  const task = await ada.send("Book");
  const answer = ada.send("Rome", { taskId: task.id, contextId: "another" });
  await expect(answer).rejects.toThrow(RequestMalformedError);
});

test("a caller without a token gets 401", async () => {
  const served = serve(asking(CITY));
  const response = await served.fetch("https://agent.example.com/run/v1/a2a", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe("Bearer");
});
