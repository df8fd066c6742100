import { client } from "@agentclientprotocol/sdk";
import { type AcpSessionStore, createAcpSurface } from "elicit-kit/acp/server";
import { createMemoryAcpSessions } from "../../../extras/acp/serve/sessions.ts";
import type { Runtime } from "elicit-kit/runtime";
import type { SurfaceTurn } from "elicit-kit/runtime/surface";
import type { TurnStreamEntry } from "elicit-kit/runtime/ports";
import { describe, expect, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { CITY, asking, createTestRuntime, text } from "../../stages/test-runtime.ts";
import { begin } from "./apps.ts";

const SECRET = "postgres://ada:hunter2@db";
const fail = () => Promise.reject(new Error(SECRET));

const hello = () =>
  createTestRuntime(async function* run() {
    yield* text("Hello.");
  });

/** A runtime whose turns are modified. */
function withTurns(runtime: Runtime, changed: (turn: SurfaceTurn) => SurfaceTurn): Runtime {
  const surface = runtime.surface("acp");
  return {
    ...runtime,
    surface: () => ({
      ...surface,
      async start(input) {
        const turn = await surface.start(input);
        return "refused" in turn ? turn : changed(turn);
      },
    }),
  };
}

function serve({
  runtime = hello(),
  sessions = createMemoryAcpSessions(),
}: {
  runtime?: Pick<Runtime, "surface" | "subscribe" | "elicitations">;
  sessions?: AcpSessionStore;
}) {
  const errors: unknown[] = [];
  const acp = createAcpSurface({
    runtime,
    name: "planner",
    sessions,
    onError: (error) => errors.push(error),
  });
  return { acp, errors };
}

/** All the data of an error that the client of the SDK gets. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    return `no error: ${JSON.stringify(await call)}`;
  } catch (error) {
    const { code, message, data } = error as { code: number; message: string; data: unknown };
    return JSON.stringify({ code, message, data });
  }
}

const editor = () => client({ name: "editor" }).onNotification("session/update", () => {});
const prompt = (sessionId: string) => ({ sessionId, prompt: [{ type: "text" as const, text: "Hi" }] });

/** The client's error when the agent cannot continue, for any failure. */
const TOLD = JSON.stringify({
  code: -32603,
  message: "Internal error",
  data: { reason: "The agent failed to handle the request." },
});

function expectQuietLog(errors: readonly unknown[]): void {
  expect(errors).toHaveLength(1);
  expect(String(errors[0])).toContain("elicit-kit:");
  expect(String(errors[0])).not.toContain(SECRET);
}

describe("the client gets no details, and the failure is logged,", () => {
  test("when a session cannot be stored", async () => {
    const { acp, errors } = serve({ sessions: { get: async () => undefined, set: fail } });
    await editor().connectWith(acp.agentFor({ id: "ada" }), async (cx) => {
      await cx.request("initialize", { protocolVersion: 1 });
      expect(await refusalOf(cx.request("session/new", { cwd: "/", mcpServers: [] }))).toBe(TOLD);
    });
    expectQuietLog(errors);
  });

  test.each([
    ["prompted", "session/prompt"],
    ["loaded", "session/load"],
  ] as const)("when a session that is %s cannot be read", async (_, method) => {
    const { acp, errors } = serve({ sessions: { get: fail, set: async () => {} } });
    await editor().connectWith(acp.agentFor({ id: "ada" }), async (cx) => {
      const sessionId = await begin(cx, {});
      const call =
        method === "session/prompt"
          ? cx.request(method, prompt(sessionId))
          : cx.request(method, { sessionId, cwd: "/", mcpServers: [] });
      expect(await refusalOf(call)).toBe(TOLD);
    });
    expectQuietLog(errors);
  });

  test("when the messages cannot be stored at the end of a prompt", async () => {
    const kept = createMemoryAcpSessions();
    let writes = 0;
    const { acp, errors } = serve({
      sessions: { get: kept.get, set: (session) => ((writes += 1) > 1 ? fail() : kept.set(session)) },
    });
    await editor().connectWith(acp.agentFor({ id: "ada" }), async (cx) => {
      const sessionId = await begin(cx, {});
      expect(await refusalOf(cx.request("session/prompt", prompt(sessionId)))).toBe(TOLD);
    });
    expectQuietLog(errors);
  });

  test("when a turn cannot start", async () => {
    const inner = hello();
    const runtime = { ...inner, surface: (kind: string) => ({ ...inner.surface(kind), start: fail }) };
    const { acp, errors } = serve({ runtime });
    await editor().connectWith(acp.agentFor({ id: "ada" }), async (cx) => {
      const sessionId = await begin(cx, {});
      expect(await refusalOf(cx.request("session/prompt", prompt(sessionId)))).toBe(TOLD);
    });
    expectQuietLog(errors);
  });

  test("when the log of a turn cannot be read", async () => {
    const runtime = withTurns(hello(), (turn) => ({
      ...turn,
      read() {
        throw new Error(SECRET);
      },
    }));
    const { acp, errors } = serve({ runtime });
    await editor().connectWith(acp.agentFor({ id: "ada" }), async (cx) => {
      const sessionId = await begin(cx, {});
      expect(await refusalOf(cx.request("session/prompt", prompt(sessionId)))).toBe(TOLD);
    });
    expectQuietLog(errors);
  });

  test("when a turn cannot be stopped for a client that cancels", async () => {
    const inner = createTestRuntime(async function* run({ signal }) {
      yield* text("…");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
    const runtime = withTurns(inner, (turn) => ({
      ...turn,
      async stop(reason) {
        await turn.stop(reason);
        throw new Error(SECRET);
      },
    }));
    const { acp, errors } = serve({ runtime });
    await editor().connectWith(acp.agentFor({ id: "ada" }), async (cx) => {
      const sessionId = await begin(cx, {});
      const prompted = cx.request("session/prompt", prompt(sessionId));
      await cx.notify("session/cancel", { sessionId });
      expect(await prompted).toEqual({ stopReason: "cancelled" });
    });
    await expect.poll(() => errors.length).toBe(1);
    expectQuietLog(errors);
  });
});

test("the operator gets no error when a client disconnects before it has read everything", async () => {
  const inner = hello();
  const stops: string[] = [];
  const [isRead, isGone] = [createDeferred<void>(), createDeferred<void>()];
  const { acp, errors } = serve({
    runtime: withTurns(inner, (turn) => ({
      ...turn,
      async *read(options) {
        const entries: TurnStreamEntry[] = [];
        for await (const entry of turn.read(options)) entries.push(entry);
        isRead.resolve();
        await isGone.promise;
        yield* entries;
      },
      async stop(reason) {
        await turn.stop(reason);
        stops.push(reason);
      },
    })),
  });
  await editor().connectWith(acp.agentFor({ id: "ada" }), async (cx) => {
    const sessionId = await begin(cx, {});
    void refusalOf(cx.request("session/prompt", prompt(sessionId)));
    await isRead.promise;
  });
  await expect.poll(() => stops).toHaveLength(1);
  isGone.resolve();
  await expect.poll(() => stops.at(-1)).toBe("The client could not be reached.");
  await new Promise((resolve) => setImmediate(resolve));
  expect([...errors, ...inner.errors]).toEqual([]);
});

test("a prompt that is cancelled while its session is read ends as cancelled, without a question", async () => {
  const kept = createMemoryAcpSessions();
  const reading = createDeferred<void>();
  const read = createDeferred<void>();
  const { acp } = serve({
    runtime: createTestRuntime(asking(CITY)),
    sessions: {
      ...kept,
      async get(id) {
        reading.resolve();
        await read.promise;
        return kept.get(id);
      },
    },
  });
  let asked = 0;
  const app = client({ name: "editor" }).onRequest("elicitation/create", () => {
    asked += 1;
    return { action: "cancel" };
  });
  await app.connectWith(acp.agentFor({ id: "ada" }), async (cx) => {
    const sessionId = await begin(cx, { elicitation: { form: {} } });
    const prompted = cx.request("session/prompt", prompt(sessionId));
    await reading.promise;
    await cx.notify("session/cancel", { sessionId });
    // The agent handles the messages of a connection in their order.
    await cx.request("session/new", { cwd: "/", mcpServers: [] });
    read.resolve();
    expect(await prompted).toEqual({ stopReason: "cancelled" });
  });
  expect(asked).toBe(0);
});
