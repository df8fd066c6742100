/**
 * Tests for tools that run as tasks in MCP 2026-07-28. No SDK has a server for them yet, so the schemas of the
 * extension's own package validate the messages of both sides. Tasks of 2025-11-25 are in everything.test.ts.
 */
import {
  CallToolResultV2Schema,
  CancelTaskRequestV2Schema,
  CreateTaskResultV2Schema,
  GetTaskRequestV2Schema,
  GetTaskResultV2Schema,
  UpdateTaskRequestV2Schema,
  UpdateTaskResultV2Schema,
} from "@modelcontextprotocol/ext-tasks/core/v2";
import { describe, expect, test } from "vitest";
import { isObject } from "../../../src/contract/json.ts";
import { chatWith, passing } from "./chat.ts";
import { type Received, type ServedMcp, answering } from "./servers.ts";

const FORM = {
  message: "Who?",
  requestedSchema: {
    type: "object" as const,
    properties: { name: { type: "string" as const } },
    required: ["name"],
  },
};
const who = (message = "Who?") => ({
  method: "elicitation/create",
  params: { mode: "form", ...FORM, message },
});
const page = {
  method: "elicitation/create",
  params: { mode: "url", message: "Sign in", url: "https://idp.example.com/x" },
};
const AT = "2026-11-20T12:00:00Z";
const about = { taskId: "task-1", createdAt: AT, lastUpdatedAt: AT, ttlMs: 60_000, pollIntervalMs: 200 };
const done = (text: string) => ({
  ...about,
  status: "completed",
  result: { resultType: "complete", content: [{ type: "text", text }] },
});

/** A 2026 server whose tool `ask` starts a task. `states` are the replies to polls, unless a test sets others. */
async function served(
  state: (updates: readonly unknown[], gets: number) => unknown,
  more: Readonly<Record<string, () => unknown>> = {},
) {
  const updates: unknown[] = [];
  let gets = 0;
  const methods = {
    "tasks/get"() {
      gets += 1;
      return GetTaskResultV2Schema.parse({ resultType: "complete", ...Object(state(updates, gets)) });
    },
    "tasks/update"(params: Readonly<Record<string, unknown>>) {
      updates.push(params["inputResponses"]);
      return UpdateTaskResultV2Schema.parse({ resultType: "complete" });
    },
    "tasks/cancel": () => ({ resultType: "complete" }),
    ...more,
  };
  const server = await answering(
    () => CreateTaskResultV2Schema.parse({ resultType: "task", ...about, status: "working" }),
    methods,
  );
  const chat = chatWith(server.url, [{ srv_ask: {} }, "Done."]);
  return { ...server, updates, chat };
}

const methodsOf = ({ received }: ServedMcp) => received.map(({ method }) => method);

describe("a tool that runs as a task (2026-07-28)", () => {
  test("asks in the task, gets the answer once, and its result becomes the result of the call", async () => {
    const server = await served((updates) =>
      updates.length > 0
        ? done("Hello Ada")
        : { ...about, status: "input_required", inputRequests: { who: who() } },
    );
    const stream = await server.chat.send();
    const request = await passing(server.chat, stream.request());
    expect(request).toMatchObject({ mode: "form", message: "Who?", toolCallId: "call_0_0" });
    // The task repeats its open question at every poll.
    const looks = () => methodsOf(server).filter((method) => method === "tasks/get").length;
    await passing(server.chat, expect.poll(looks).toBeGreaterThan(3));
    await server.chat.answer(stream, "accept", { name: "Ada" });
    await passing(server.chat, stream.done);
    expect(server.updates).toEqual([{ who: { action: "accept", content: { name: "Ada" } } }]);
    expect(server.chat.results()).toContain("Hello Ada");
    const ids = stream.chunks.filter(({ type }) => type === "data-elicitation-request").map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect(server.chat.errors).toEqual([]);
  });

  test("sends messages that match the extension's schemas", async () => {
    const server = await served((updates) =>
      updates.length > 0 ? done("ok") : { ...about, status: "input_required", inputRequests: { who: who() } },
    );
    const stream = await server.chat.send();
    await passing(server.chat, stream.request());
    await server.chat.answer(stream, "decline");
    await passing(server.chat, stream.done);
    const sent = (name: string) => server.received.filter(({ method }) => method === name);
    for (const message of sent("tasks/get")) GetTaskRequestV2Schema.parse(message);
    expect(sent("tasks/update").map((message) => UpdateTaskRequestV2Schema.parse(message).params)).toEqual([
      { taskId: "task-1", inputResponses: { who: { action: "decline" } } },
    ]);
    expect(extensionsOf(sent("tools/call")[0])).toEqual({ "io.modelcontextprotocol/tasks": {} });
  });

  test("may ask several times and open a page, whose card ends with the task", async () => {
    const server = await served((updates, gets) => {
      if (updates.length === 0)
        return { ...about, status: "input_required", inputRequests: { first: who("First?") } };
      if (updates.length === 1)
        return { ...about, status: "input_required", inputRequests: { first: who("First?"), page } };
      return gets < 12 ? { ...about, status: "working" } : done("connected");
    });
    const stream = await server.chat.send();
    await passing(server.chat, stream.request());
    await server.chat.answer(stream, "accept", { name: "Ada" });
    const { elicitationId } = await passing(
      server.chat,
      stream.request(0, ({ mode }) => mode === "url"),
    );
    await server.chat.ada.answer("c1", { elicitationId, action: "accept" });
    await passing(server.chat, stream.done);
    expect(server.updates).toEqual([
      { first: { action: "accept", content: { name: "Ada" } } },
      { page: { action: "accept" } },
    ]);
    expect((await server.chat.runtime.elicitations.get(elicitationId))?.status).toBe("accepted");
    expect(server.chat.results()).toContain("connected");
  });

  test.each([
    ["is cancelled by the server", { ...about, status: "cancelled" }, "was cancelled by the server"],
    ["fails", { ...about, status: "failed", error: { code: -32603, message: "no disk" } }, "went wrong"],
  ])("that %s while the user thinks withdraws the card and ends the call", async (_, state, said) => {
    let isOver = false;
    const server = await served(() =>
      isOver ? state : { ...about, status: "input_required", inputRequests: { who: who() } },
    );
    const stream = await server.chat.send();
    const { elicitationId } = await passing(server.chat, stream.request());
    isOver = true;
    await passing(server.chat, stream.done);
    expect((await server.chat.runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
    expect(JSON.stringify([server.chat.results(), stream.chunks])).toContain(said);
  });

  test.each([
    ["has just ended, gives its result", true, "without you"],
    ["still waits for it, ends the call", false, "went wrong"],
  ])("that refuses an answer because it %s", async (_, hasEnded, said) => {
    let isOver = false;
    const server = await served(
      () =>
        isOver ? done("without you") : { ...about, status: "input_required", inputRequests: { who: who() } },
      {
        "tasks/update"() {
          isOver = hasEnded;
          return Response.json({ error: "Too late" }, { status: 400 });
        },
      },
    );
    const stream = await server.chat.send();
    await passing(server.chat, stream.request());
    await server.chat.answer(stream, "accept", { name: "Ada" });
    // Time stands still: the refusal alone makes the client look again.
    await stream.done;
    expect(JSON.stringify([server.chat.results(), stream.chunks])).toContain(said);
  });

  test("is cancelled when the user stops the turn", async () => {
    const server = await served(() => ({
      ...about,
      status: "input_required",
      inputRequests: { who: who() },
    }));
    const stream = await server.chat.send();
    await passing(server.chat, stream.request());
    await server.chat.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
    await stream.done;
    await expect.poll(() => methodsOf(server)).toContain("tasks/cancel");
    const cancel = server.received.find(({ method }) => method === "tasks/cancel");
    expect(CancelTaskRequestV2Schema.parse(cancel).params.taskId).toBe("task-1");
  });

  test("may run for longer than the time limit of a silent server", async () => {
    const server = await served((_, gets) =>
      gets > 400 ? done("at last") : { ...about, status: "working" },
    );
    const stream = await server.chat.send();
    await passing(server.chat, stream.done);
    expect(server.chat.results()).toContain("at last");
  });

  test("may ask at most ten times", async () => {
    const server = await served((updates) => ({
      ...about,
      status: "input_required",
      inputRequests: { [`key-${updates.length}`]: who(`Who ${updates.length}?`) },
    }));
    const stream = await server.chat.send();
    for (let round = 0; round < 10; round += 1) {
      const isNext = ({ message }: { message: string }) => message === `Who ${round}?`;
      const { elicitationId } = await passing(server.chat, stream.request(0, isNext));
      await server.chat.ada.answer("c1", { elicitationId, action: "accept", content: { name: "Ada" } });
    }
    await passing(server.chat, stream.done);
    expect(server.chat.results()).toContain("10 rounds already");
    expect(methodsOf(server)).toContain("tasks/cancel");
  });
});

function extensionsOf(message: Received | undefined): unknown {
  const meta = message?.params?.["_meta"];
  const capabilities = isObject(meta) ? meta["io.modelcontextprotocol/clientCapabilities"] : undefined;
  return isObject(capabilities) ? capabilities["extensions"] : undefined;
}

test("the results in these tests match the schema of the extension", () => {
  expect(CallToolResultV2Schema.parse(done("ok").result)).toEqual(done("ok").result);
});
