import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMcpRelay } from "../../../src/mcp/relay/relay.ts";
import { createMcpProcesses } from "../../../src/agent/mcp/mcp-processes.ts";
import type { McpStdioServer } from "../../../src/agent/mcp/mcp-server.ts";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import { createChatClient } from "../../stages/chat-client.ts";
import type { Step } from "../../stages/scripted-model.ts";
import type { RelayedChat } from "../relayed-chat.ts";
import { chatWith } from "./chat.ts";

const program = fileURLToPath(new URL("stdio-server.ts", import.meta.url));
const everything = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);

type Options = Partial<Omit<McpStdioServer, "command" | "args">>;

function chat(kind: string, steps: readonly Step[], options: Options = {}): RelayedChat {
  const made = chatWith({ command: process.execPath, args: [program, kind], ...options }, steps);
  onTestFinished(() => made.runtime.close());
  return made;
}

const ask = (label: string): Step => ({ srv_ask: { label } });

// relay.test.ts has the other actions and revisions, which do not depend on the transport.
test.each(["v1", "2026-07-28"])(
  "a process on an official SDK (%s) gets the user's answer to its form, and continues the same call",
  async (kind) => {
    const { send, answer, results, errors } = chat(kind, [ask("one"), "Done."]);
    const stream = await send();
    expect(await stream.request()).toMatchObject({ message: "Who one?", requester: { name: "Survey" } });
    await answer(stream, "accept", { name: "Ada" });
    await stream.done;
    expect(results()).toContain('one: accept {\\"name\\":\\"Ada\\"}');
    expect(errors).toEqual([]);
  },
);

test("server-everything, as a process, gets the answer to its form", async () => {
  const step = { "srv_trigger-elicitation-request": {} };
  const { send, answer, results, runtime } = chatWith(
    { command: process.execPath, args: [everything, "stdio"] },
    [step, "Done."],
  );
  onTestFinished(() => runtime.close());
  const stream = await send();
  await answer(stream, "accept", { name: "Ada" });
  await stream.done;
  expect(results()).toContain("provided the requested information");
});

const about = (text: string): { pid: number; tenant?: string } => {
  const [, json = "{}"] = /(\{\\*"pid.*?\})/.exec(text) ?? [];
  return JSON.parse(json.replaceAll("\\", ""));
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("the process of a stdio server", () => {
  const ABOUT: Step = { srv_about: {} };

  async function pidOf(made: RelayedChat, user: string, conversation: string): Promise<number> {
    const person = createChatClient(made.runtime.fetch, { user });
    await (
      await person.send(conversation)
    ).done;
    return about(made.results()).pid;
  }

  test("belongs to one user, serves all their conversations, and ends with the runtime", async () => {
    const made = chat("v1", [ABOUT, "Done.", ABOUT, "Done.", ABOUT, "Done."]);
    const first = await pidOf(made, "ada", "c1");
    expect(await pidOf(made, "ada", "c2")).toBe(first);
    const other = await pidOf(made, "bob", "c1");
    expect(other).not.toBe(first);
    expect([first, other].map(isAlive)).toEqual([true, true]);
    await made.runtime.close();
    await expect.poll(() => [first, other].map(isAlive)).toEqual([false, false]);
  });

  test("ends when it has been idle, and starts again when it is needed", async () => {
    const made = chat("v1", [ABOUT, "Done.", ABOUT, "Done."], { idleMs: 60_000 });
    const first = await pidOf(made, "ada", "c1");
    made.runtime.clock.advance(59_000);
    expect(isAlive(first)).toBe(true);
    made.runtime.clock.advance(1000);
    await expect.poll(() => isAlive(first)).toBe(false);
    expect(await pidOf(made, "ada", "c1")).not.toBe(first);
  });

  test("gets the environment computed for its user, and no variable of the runtime's own process", async () => {
    process.env["PARENT"] = "s3cr3t-of-the-parent";
    onTestFinished(() => void delete process.env["PARENT"]);
    const env = (user: { id: string } | undefined) => ({
      TENANT: `of ${user?.id}`,
      API_KEY: "k3y-0123456789",
    });
    const made = chat("v1", [{ srv_about: {} }, { srv_echo_key: {} }, "Done."], { env });
    const stream = await made.send();
    await stream.done;
    const results = JSON.stringify(stream.chunks);
    expect(results).toContain("of ada");
    expect(results).toContain("the key is [credential], and secrets of the parent: undefined");
  });

  test("serves a single call if no user is signed in", async () => {
    const processes = createMcpProcesses(createManualClock());
    const { signal } = new AbortController();
    const server = { name: "srv", service: "Survey", command: process.execPath, args: [program, "v1"] };
    const call = { user: undefined, capabilities: {}, env: {}, alone: false, signal };
    const pids: number[] = [];
    for (let count = 0; count < 2; count += 1) {
      await processes.use(server, call, async (client) => {
        const { content } = await client.callTool({ name: "about", arguments: {} });
        pids.push(about(JSON.stringify(content)).pid);
      });
    }
    expect(new Set(pids).size).toBe(2);
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
  });
});

test("a process of MCP 2025-11-25 gets two parallel calls one after the other, and each gets its own answer", async () => {
  const both = { "srv_ask#1": { label: "one" }, "srv_ask#2": { label: "two" } };
  const { ada, send, results } = chat("v1", [both, "Done."]);
  const stream = await send();
  for (const label of ["one", "two"]) {
    const request = await stream.request(0, ({ message }) => message === `Who ${label}?`);
    expect(request.toolCallId).toBe(label === "one" ? "call_0_0" : "call_0_1");
    const { elicitationId } = request;
    const open = stream.chunks.filter(({ type }) => type === "data-elicitation-request");
    expect(new Set(open.map(({ id }) => id)).size).toBe(label === "one" ? 1 : 2);
    await ada.answer("c1", { elicitationId, action: "accept", content: { name: `${label}!` } });
  }
  await stream.done;
  for (const label of ["one", "two"])
    expect(results()).toContain(`${label}: accept {\\"name\\":\\"${label}!\\"}`);
});

test("a request that a process sends after its call has returned is not shown, and the process gets an error", async () => {
  const clock = createManualClock();
  const processes = createMcpProcesses(clock);
  onTestFinished(() => processes.close());
  const supports = { url: true, form: true };
  const asked = () => Promise.reject(new Error("the person was asked"));
  const relay = createMcpRelay({
    turn: { supports, ask: asked, askRound: asked, runner: { step: asked, bind: () => asked } as never },
    server: { name: "srv", service: "Survey" },
    toolName: "ask_late",
    showUnanswerable: false,
    clock,
  });
  const server = { name: "srv", service: "Survey", command: process.execPath, args: [program, "v1"] };
  const { signal } = new AbortController();
  const call = { user: { id: "ada" }, capabilities: relay.capabilities, env: {}, signal };
  await processes.use(server, { ...call, alone: true }, (client) =>
    relay.call({
      client,
      signal,
      silenceMs: 60_000,
      conceal: (value) => value,
      send: () => client.callTool({ name: "ask_late", arguments: {} }),
    }),
  );
  const heard = await processes.use(server, { ...call, alone: false }, (client) =>
    client.callTool({ name: "heard", arguments: {} }),
  );
  expect(JSON.stringify(heard)).toContain("The call that this belongs to has ended");
});

test("a process of MCP 2026-07-28 gets two parallel calls at the same time", async () => {
  const both = { "srv_ask#1": { label: "one" }, "srv_ask#2": { label: "two" } };
  const { ada, send, results } = chat("2026-07-28", [both, "Done."]);
  const stream = await send();
  for (const { elicitationId, message } of [await stream.request(0), await stream.request(1)]) {
    await ada.answer("c1", { elicitationId, action: "accept", content: { name: `${message}!` } });
  }
  await stream.done;
  for (const label of ["one", "two"])
    expect(results()).toContain(`${label}: accept {\\"name\\":\\"Who ${label}?!\\"}`);
});

test("stopping the turn of a waiting call ends that call, and the running call continues", async () => {
  const { ada, runtime, results, answer, send } = chat("v1", [ask("one"), ask("two"), "Done.", "Done."]);
  const first = await send("c1");
  await first.request();
  const second = await ada.send("c2");
  await expect.poll(() => JSON.stringify(second.chunks)).toContain("tool-input-available");
  expect((await ada.fetch("/run/api/chat/c2/stop", { method: "POST" })).status).toBe(204);
  await second.done;
  await answer(first, "accept", { name: "Ada" });
  await first.done;
  expect(results()).toContain("one: accept");
  expect(runtime.errors).toEqual([]);
});

test("when a process crashes, its call ends, its card is withdrawn, and the next call starts a new process", async () => {
  const steps: readonly Step[] = [{ srv_about: {} }, ask("one"), { srv_about: {} }, "Done."];
  const { runtime, results, send } = chat("v1", steps);
  const stream = await send();
  const { elicitationId } = await stream.request();
  const { pid } = about(results());
  process.kill(pid);
  await expect.poll(async () => (await runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  await stream.done;
  expect(about(results().slice(results().lastIndexOf("pid") - 10)).pid).not.toBe(pid);
});

test("when a program does not exist, the operator gets an error, and the turn runs without its tools", async () => {
  const { send, errors, runtime } = chatWith({ command: "/nowhere/at-all" }, ["Done."]);
  const stream = await send();
  await stream.done;
  expect(JSON.stringify(stream.chunks)).toContain("Done.");
  expect(String(errors[0])).toContain("could not be started as a process");
  await runtime.close();
});

test("a process ends even if its first call is aborted while it starts", async () => {
  const clock = createManualClock();
  const processes = createMcpProcesses(clock);
  onTestFinished(() => processes.close());
  const server = { name: "srv", service: "Survey", command: process.execPath, args: [program, "v1"] };
  const call = { user: { id: "ada" }, capabilities: {}, env: {}, alone: false };
  const { signal } = new AbortController();
  await expect(
    processes.use(server, { ...call, signal: AbortSignal.abort(new Error("stopped")) }, async () => ""),
  ).rejects.toThrow("stopped");
  await expect.poll(() => clock.waiting).toBe(1);
  const { content } = await processes.use(server, { ...call, signal }, (client) =>
    client.callTool({ name: "about", arguments: {} }),
  );
  const { pid } = about(JSON.stringify(content));
  clock.advance(300_000);
  await expect.poll(() => isAlive(pid)).toBe(false);
});
