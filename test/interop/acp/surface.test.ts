import { type ClientContext, RequestError, client } from "@agentclientprotocol/sdk";
import { createAcpSurface } from "elicit-kit/acp/server";
import type { AcpApproval } from "../../../extras/acp/serve/permissions.ts";
import type { AcpSurfaceOptions } from "../../../extras/acp/serve/surface.ts";
import type { Runtime, RunTurn, RuntimeOptions, User } from "elicit-kit/runtime";
import { describe, expect, test } from "vitest";
import { CITY, CONNECT, asking, createTestRuntime, text } from "../../stages/test-runtime.ts";
import { begin, createPage, outcomeOf } from "./apps.ts";

const ADA: User = { id: "ada" };
const BOTH = { elicitation: { form: {}, url: {} } };

interface SetUp {
  runTurn?: RunTurn;
  options?: Partial<AcpSurfaceOptions>;
  runtime?: Partial<RuntimeOptions>;
}

function setUp({ runTurn = asking(CITY), options = {}, runtime: more = {} }: SetUp = {}) {
  const runtime = createTestRuntime(runTurn, more);
  const errors: unknown[] = [];
  const acp = createAcpSurface({
    runtime,
    name: "planner",
    onError: (error) => errors.push(error),
    ...options,
  });
  return { runtime, acp, errors };
}

/** A client of the SDK only: `answer` is called for each `elicitation/create`, with its number. */
function createClient(answer: (params: object, count: number, signal: AbortSignal) => unknown) {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const updates: object[] = [];
  const completed: string[] = [];
  const app = client({ name: "editor" })
    .onRequest("elicitation/create", ({ params, signal }) => {
      asked.push({ ...params });
      return answer(params, asked.length, signal) as never;
    })
    .onNotification("elicitation/complete", ({ params }) => void completed.push(params.elicitationId))
    .onNotification("session/update", ({ params }) => void updates.push(params.update));
  return { app, asked, updates, completed };
}

const send = (cx: ClientContext, sessionId: string, words = "Go") =>
  cx.request("session/prompt", { sessionId, prompt: [{ type: "text", text: words }] });

/** The reply of the `asking` agent: the outcome of its question. */
function told(updates: readonly object[]): unknown {
  const texts = updates.flatMap((update) =>
    "content" in update && "sessionUpdate" in update && update.sessionUpdate === "agent_message_chunk"
      ? [(update.content as { text: string }).text]
      : [],
  );
  return JSON.parse(texts.join(""));
}

const never = () => new Promise<never>(() => {});
const waitingFor = (runtime: Runtime, sessionId: string) => async () =>
  (await runtime.elicitations.listOpen(sessionId, "ada")).length;

describe("a client of the SDK", () => {
  test("gets a form, and the same turn continues with the answer", async () => {
    const { runtime, acp, errors } = setUp();
    const { app, asked, updates } = createClient(() => ({ action: "accept", content: { city: "Rome" } }));
    await app.connectWith(acp.agentFor(ADA), async (cx) => {
      const sessionId = await begin(cx, BOTH);
      expect(await send(cx, sessionId)).toEqual({ stopReason: "end_turn" });
      expect(asked).toMatchObject([{ sessionId, mode: "form", message: CITY.message }]);
    });
    expect(told(updates)).toEqual({ outcome: "accepted", content: { city: "Rome" } });
    expect([...runtime.errors, ...errors]).toEqual([]);
  });

  test.each([
    ["decline", "declined"],
    ["cancel", "cancelled"],
  ])(
    "may answer with %s, and the tool gets %s, without content that the client may have sent",
    async (action, outcome) => {
      const { acp } = setUp();
      const { app, updates } = createClient(() => ({ action, content: { city: "Rome" } }));
      await app.connectWith(acp.agentFor(ADA), async (cx) => send(cx, await begin(cx, BOTH)));
      expect(told(updates)).toEqual({ outcome });
    },
  );

  test("opens a page with an accept as consent, and the request ends when the page is complete", async () => {
    const { runtime, acp } = setUp({ runTurn: asking(CONNECT) });
    const { app, asked, updates, completed } = createClient(() => ({ action: "accept" }));
    await app.connectWith(acp.agentFor(ADA), async (cx) => {
      const sessionId = await begin(cx, BOTH);
      const turn = send(cx, sessionId);
      await expect.poll(() => asked.length).toBe(1);
      const { elicitationId, url } = asked[0] as { elicitationId: string; url: string };
      expect(url).toContain(elicitationId);
      await expect
        .poll(async () => (await runtime.elicitations.get(elicitationId))?.status)
        .toBe("consented");
      expect(completed).toEqual([]);
      await runtime.elicitations.complete(elicitationId);
      expect(await turn).toEqual({ stopReason: "end_turn" });
      expect(completed).toEqual([elicitationId]);
    });
    expect(told(updates)).toMatchObject({ outcome: "accepted" });
  });

  test("gets texts and tool names, but no reasoning and no tool inputs or outputs", async () => {
    const { acp } = setUp({
      runTurn: async function* run() {
        yield { type: "start" };
        yield { type: "reasoning-delta", id: "r", delta: "hidden" };
        yield { type: "tool-input-start", toolCallId: "c", toolName: "book" };
        yield { type: "tool-input-available", toolCallId: "c", toolName: "book", input: { card: "hidden" } };
        yield { type: "tool-output-available", toolCallId: "c", output: "hidden" };
        yield { type: "tool-input-start", toolCallId: "d", toolName: "pay" };
        yield { type: "tool-output-error", toolCallId: "d", errorText: "hidden" };
        yield* text("Done.");
      },
    });
    const { app, updates } = createClient(never);
    await app.connectWith(acp.agentFor(ADA), async (cx) => send(cx, await begin(cx, BOTH)));
    expect(JSON.stringify(updates)).not.toContain("hidden");
    expect(updates).toMatchObject([
      { sessionUpdate: "tool_call", toolCallId: "c", title: "book", status: "pending" },
      { sessionUpdate: "tool_call", toolCallId: "c", status: "in_progress" },
      { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" },
      { sessionUpdate: "tool_call", toolCallId: "d" },
      { sessionUpdate: "tool_call_update", toolCallId: "d", status: "failed" },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } },
    ]);
  });

  test("stops the turn with session/cancel, and with $/cancel_request of the prompt", async () => {
    for (const how of ["session/cancel", "$/cancel_request"]) {
      const { runtime, acp } = setUp();
      const { app } = createClient((_, __, signal) => {
        signal.addEventListener("abort", () => {});
        return never();
      });
      await app.connectWith(acp.agentFor(ADA), async (cx) => {
        const sessionId = await begin(cx, BOTH);
        const abort = new AbortController();
        const params = { sessionId, prompt: [{ type: "text" as const, text: "Go" }] };
        const turn = cx.request("session/prompt", params, { cancellationSignal: abort.signal });
        await expect.poll(waitingFor(runtime, sessionId)).toBe(1);
        if (how === "session/cancel") await cx.notify("session/cancel", { sessionId });
        else abort.abort();
        expect(await turn).toEqual({ stopReason: "cancelled" });
        expect(await waitingFor(runtime, sessionId)()).toBe(0);
      });
    }
  });

  test("may lose its connection: the turn stops, and its open requests are withdrawn", async () => {
    const { runtime, acp, errors } = setUp();
    const { app, asked } = createClient(never);
    let id = "";
    await app.connectWith(acp.agentFor(ADA), async (cx) => {
      const session = await begin(cx, BOTH);
      send(cx, session).catch(() => {});
      await expect.poll(() => asked.length).toBe(1);
      const [record] = await runtime.elicitations.listOpen(session, "ada");
      id = record!.request.elicitationId;
    });
    await expect.poll(async () => (await runtime.elicitations.get(id))?.status).toBe("withdrawn");
    expect(errors).toEqual([]);
  });

  test("may reconnect: it loads its session, reads the history, and continues", async () => {
    const seen: (readonly unknown[])[] = [];
    const { acp } = setUp({
      runTurn: async function* run(turn) {
        seen.push(turn.messages);
        yield* text("Hello.");
      },
    });
    const first = createClient(never);
    let session = "";
    await first.app.connectWith(acp.agentFor(ADA), async (cx) => {
      session = await begin(cx, BOTH);
      await send(cx, session, "Hi");
    });
    const second = createClient(never);
    await second.app.connectWith(acp.agentFor(ADA), async (cx) => {
      await cx.request("initialize", { protocolVersion: 1 });
      await cx.request("session/load", { sessionId: session, cwd: "/home/ada", mcpServers: [] });
      expect(second.updates).toMatchObject([
        { sessionUpdate: "user_message_chunk", content: { text: "Hi" } },
        { sessionUpdate: "agent_message_chunk", content: { text: "Hello." } },
      ]);
      await send(cx, session, "Again");
    });
    expect(seen[1]).toMatchObject([
      { role: "user", parts: [{ text: "Hi" }] },
      { role: "assistant", parts: [{ text: "Hello." }] },
      { role: "user", parts: [{ text: "Again" }] },
    ]);
  });

  test("cannot use another user's session, nor one that does not exist", async () => {
    const { acp } = setUp();
    let session = "";
    await createClient(never).app.connectWith(acp.agentFor(ADA), async (cx) => {
      session = await begin(cx, BOTH);
    });
    await createClient(never).app.connectWith(acp.agentFor({ id: "eve" }), async (cx) => {
      await begin(cx, BOTH);
      expect(await outcomeOf(send(cx, session))).toMatchObject({ code: -32002 });
      expect(await outcomeOf(send(cx, "none"))).toMatchObject({ code: -32002 });
      const load = cx.request("session/load", { sessionId: session, cwd: "/", mcpServers: [] });
      expect(await outcomeOf(load)).toMatchObject({ code: -32002 });
    });
  });

  test("can have questions in two sessions at once, and a second prompt in the same session is refused", async () => {
    const { acp } = setUp();
    const pending = new Map<unknown, (answer: object) => void>();
    const { app, asked, updates } = createClient(
      (params) => new Promise((resolve) => pending.set((params as { sessionId: string }).sessionId, resolve)),
    );
    await app.connectWith(acp.agentFor(ADA), async (cx) => {
      const one = await begin(cx, BOTH);
      const { sessionId: two } = await cx.request("session/new", { cwd: "/", mcpServers: [] });
      const turns = [send(cx, one), send(cx, two)];
      await expect.poll(() => asked.length).toBe(2);
      expect(await outcomeOf(send(cx, one))).toMatchObject({ code: -32600 });
      pending.get(two)!({ action: "accept", content: { city: "Rome" } });
      expect(await turns[1]).toEqual({ stopReason: "end_turn" });
      expect(told(updates)).toMatchObject({ content: { city: "Rome" } });
      pending.get(one)!({ action: "decline" });
      await turns[0];
    });
  });

  test("does not share its agent with another connection", async () => {
    const { acp } = setUp();
    const shared = acp.agentFor(ADA);
    const first = createClient(never).app.connect(shared);
    expect(() => createClient(never).app.connect(shared)).toThrow(/already connected/);
    first.close();
  });
});

const hostedPage = { origin: "https://auth.example.com" };

describe("in ACP,", () => {
  test.each([
    ["a bad action", { action: "yes" }],
    ["nested content", { action: "accept", content: { city: { name: "Rome" } } }],
    ["content that does not fit", { action: "accept", content: { city: "R" } }],
    ["no content", { action: "accept" }],
    ["nothing", null],
  ])("%s is not passed to the tool, and the client is asked three times at most", async (_, answer) => {
    const { acp } = setUp();
    const { app, asked, updates } = createClient(() => answer);
    await app.connectWith(acp.agentFor(ADA), async (cx) => send(cx, await begin(cx, BOTH)));
    expect(asked.length).toBe(3);
    expect(asked[1]?.["message"]).not.toBe(asked[0]?.["message"]);
    expect(told(updates)).toEqual({
      outcome: "failed",
      reason: expect.stringContaining("none of 3 answers was valid"),
    });
  });

  test("a valid second answer is passed to the tool", async () => {
    const { acp } = setUp();
    const { app, asked, updates } = createClient((__, count) => ({
      action: "accept",
      content: { city: count === 1 ? "R" : "Rome" },
    }));
    await app.connectWith(acp.agentFor(ADA), async (cx) => send(cx, await begin(cx, BOTH)));
    expect(asked[1]).toMatchObject({
      message: expect.stringContaining("Please check: city does not fit: too short"),
    });
    expect(told(updates)).toMatchObject({ content: { city: "Rome" } });
  });

  test.each([
    ["nothing", {}],
    ["an empty capability", { elicitation: {} }],
    ["null for forms", { elicitation: { form: null, url: {} } }],
  ])("a client that declares %s does not get a form", async (_, capabilities) => {
    const { acp } = setUp();
    const { app, asked, updates } = createClient(never);
    await app.connectWith(acp.agentFor(ADA), async (cx) => send(cx, await begin(cx, capabilities)));
    expect(asked).toEqual([]);
    expect(told(updates)).toEqual({ outcome: "unsupported" });
  });

  test.each([
    ["forms only", { elicitation: { form: {} } }],
    ["null for pages", { elicitation: { form: {}, url: null } }],
    ["null", { elicitation: null }],
  ])("a client that declares %s does not get a page", async (_, capabilities) => {
    const { acp } = setUp({ runTurn: asking(CONNECT) });
    const { app, asked, updates } = createClient(never);
    await app.connectWith(acp.agentFor(ADA), async (cx) => send(cx, await begin(cx, capabilities)));
    expect(asked).toEqual([]);
    expect(told(updates)).toMatchObject({ outcome: "unsupported" });
  });

  test("a connection without a user gets no question", async () => {
    const { acp } = setUp();
    const { app, updates } = createClient(never);
    await app.connectWith(acp.agentFor(undefined), async (cx) => send(cx, await begin(cx, BOTH)));
    expect(told(updates)).toEqual({ outcome: "unsupported" });
  });

  test("each connection without a user has its own rate limit", async () => {
    const { acp } = setUp({
      runTurn: async function* run() {
        yield* text("Hello.");
      },
      runtime: { limits: { writesPerMinute: 1 } },
    });
    const words = async () => {
      const outcomes: unknown[] = [];
      await createClient(never).app.connectWith(acp.agentFor(undefined), async (cx) => {
        const sessionId = await begin(cx, BOTH);
        for (let count = 0; count < 2; count += 1) outcomes.push(await outcomeOf(send(cx, sessionId)));
      });
      return outcomes;
    };
    const limited = [{ stopReason: "end_turn" }, { code: -32603, reason: "Too many prompts." }];
    expect([await words(), await words()]).toEqual([limited, limited]);
  });

  test("unknown formats are dropped and enumNames become titles, so that the SDK accepts the form", async () => {
    const { acp } = setUp({
      runTurn: asking({
        ...CITY,
        requestedSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties: {
            phone: { type: "string", format: "phone", examples: ["+1"] },
            day: { type: "string", format: "date" },
            size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] },
            tags: { type: "array", items: { type: "string", enum: ["a"] }, maxItems: 1 },
          },
        },
        context: { trigger: "tool", note: 1 },
      }),
    });
    const { app, asked, updates } = createClient(() => ({ action: "accept", content: { phone: "+49" } }));
    await app.connectWith(acp.agentFor(ADA), async (cx) => send(cx, await begin(cx, BOTH)));
    expect(asked).toMatchObject([
      {
        requestedSchema: {
          properties: {
            phone: { type: "string" },
            day: { type: "string", format: "date" },
            size: {
              type: "string",
              oneOf: [
                { const: "s", title: "Small" },
                { const: "l", title: "Large" },
              ],
            },
            tags: { type: "array", items: { type: "string", enum: ["a"] }, maxItems: 1 },
          },
        },
        _meta: { "elicit-kit": { context: { trigger: "tool", note: 1 } } },
      },
    ]);
    expect(JSON.stringify(asked[0]?.["requestedSchema"])).not.toMatch(
      /phone".*format":"phone|schema":|examples/,
    );
    expect(told(updates)).toMatchObject({ outcome: "accepted" });
  });

  test.each([
    ["no client can show", "cannot show this form", { at: { type: "object" } }, "?"],
    ["asks for a secret", "asks for a secret", { password: { type: "string" } }, "?"],
    ["asks for a secret in its message", "asks for a secret", { a: { type: "string" } }, "Enter your PIN"],
  ] as const)(
    "a form that %s is not sent, and the tool gets the reason",
    async (_, reason, properties, message) => {
      const requestedSchema = { type: "object", properties } as const;
      const { acp } = setUp({ runTurn: asking({ ...CITY, message, requestedSchema }) });
      const { app, asked, updates } = createClient(never);
      await app.connectWith(acp.agentFor(ADA), async (cx) => send(cx, await begin(cx, BOTH)));
      expect(asked).toEqual([]);
      expect(told(updates)).toEqual({ outcome: "failed", reason: expect.stringContaining(reason) });
    },
  );

  test("a client without a handler (-32601) counts as a cancel, and the operator gets the error", async () => {
    const { acp, errors } = setUp();
    const updates: object[] = [];
    const app = client({ name: "bare" }).onNotification("session/update", ({ params }) => {
      updates.push(params.update);
    });
    await app.connectWith(acp.agentFor(ADA), async (cx) => send(cx, await begin(cx, BOTH)));
    expect(told(updates)).toEqual({ outcome: "cancelled" });
    expect(errors.map(String)).toEqual([expect.stringContaining("-32601")]);
  });

  test.each([
    ["answers with cancel", () => ({ action: "cancel" })],
    ["answers with error -32800", () => Promise.reject(new RequestError(-32800, "cancelled"))],
    ["does not answer", never],
  ])("a request that ends elsewhere is cancelled at a client that %s", async (_, onAbort) => {
    const { runtime, acp, errors } = setUp();
    let aborted = 0;
    const { app, asked, updates } = createClient(
      (__, ___, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            aborted += 1;
            resolve(onAbort());
          });
        }),
    );
    await app.connectWith(acp.agentFor(ADA), async (cx) => {
      const sessionId = await begin(cx, BOTH);
      const turn = send(cx, sessionId);
      await expect.poll(() => asked.length).toBe(1);
      const [record] = await runtime.elicitations.listOpen(sessionId, "ada");
      await runtime.elicitations.decline(record!.request.elicitationId);
      expect(await turn).toEqual({ stopReason: "end_turn" });
      await expect.poll(() => aborted).toBe(1);
    });
    expect(told(updates)).toEqual({ outcome: "declined" });
    expect(errors).toEqual([]);
  });

  test("a client that cannot open pages gets the link of a page as text, and the turn waits, if there is an answer page", async () => {
    const { runtime, acp } = setUp({ runTurn: asking(CONNECT), runtime: { hostedPage } });
    const { app, asked, updates } = createClient(never);
    await app.connectWith(acp.agentFor(ADA), async (cx) => {
      const sessionId = await begin(cx, { elicitation: { form: {} } });
      const turn = send(cx, sessionId);
      await expect.poll(() => updates.length).toBe(1);
      const [record] = await runtime.elicitations.listOpen(sessionId, "ada");
      const { elicitationId } = record!.request;
      expect(updates).toMatchObject([
        { content: { text: expect.stringContaining(`connect?elicitationId=${elicitationId}`) } },
      ]);
      await runtime.elicitations.complete(elicitationId);
      await turn;
    });
    expect(asked).toEqual([]);
    expect(JSON.stringify(updates.at(-1))).toContain("accepted");
  });

  test("a client that cannot show forms gets a link to the answer page", async () => {
    const { runtime, acp } = setUp({ runtime: { hostedPage } });
    const { app, updates } = createClient(never);
    await app.connectWith(acp.agentFor(ADA), async (cx) => {
      const sessionId = await begin(cx, {});
      const turn = send(cx, sessionId);
      await expect.poll(() => updates.length).toBe(1);
      expect(JSON.stringify(updates)).toContain("https://auth.example.com/auth/answer?elicitationId=");
      const [record] = await runtime.elicitations.listOpen(sessionId, "ada");
      await runtime.elicitations.decline(record!.request.elicitationId);
      await turn;
    });
  });
});

describe("with an answer page, a form that asks for a secret", () => {
  const requestedSchema = { type: "object", properties: { password: { type: "string" } } } as const;
  const link = "https://auth.example.com/auth/answer?elicitationId=";

  test("is a page for a client that opens pages, which learns when it is complete", async () => {
    const { runtime, acp } = setUp({
      runTurn: asking({ ...CITY, requestedSchema }),
      runtime: { hostedPage },
    });
    const { app, asked, updates, completed } = createClient(() => ({ action: "accept" }));
    await app.connectWith(acp.agentFor(ADA), async (cx) => {
      const sessionId = await begin(cx, BOTH);
      const turn = send(cx, sessionId);
      await expect.poll(() => asked.length).toBe(1);
      const [record] = await runtime.elicitations.listOpen(sessionId, "ada");
      const { elicitationId } = record!.request;
      expect(asked[0]).toMatchObject({ mode: "url", url: `${link}${elicitationId}`, elicitationId });
      const given = { elicitationId, conversationId: sessionId, action: "accept" } as const;
      await runtime.elicitations.answer({ ...given, content: { password: "x" } }, "ada");
      await turn;
      expect(completed).toEqual([elicitationId]);
    });
    expect(told(updates)).toEqual({ outcome: "accepted", content: { password: "x" } });
    expect(asked).toHaveLength(1);
  });

  test("is a link in the session for a client that shows only forms", async () => {
    const { runtime, acp } = setUp({
      runTurn: asking({ ...CITY, requestedSchema }),
      runtime: { hostedPage },
    });
    const { app, asked, updates } = createClient(never);
    await app.connectWith(acp.agentFor(ADA), async (cx) => {
      const sessionId = await begin(cx, { elicitation: { form: {} } });
      const turn = send(cx, sessionId);
      await expect.poll(() => updates.length).toBe(1);
      expect(JSON.stringify(updates)).toContain(link);
      const [record] = await runtime.elicitations.listOpen(sessionId, "ada");
      await runtime.elicitations.decline(record!.request.elicitationId);
      await turn;
    });
    expect(asked).toEqual([]);
  });
});

describe("permissions", () => {
  const needed = {
    type: "approval-needed",
    approvalId: "a1",
    toolCallId: "c1",
    toolName: "delete_file",
    input: { path: "/tmp/x" },
  } as const;

  test.each([
    ["allow", true, "allowed"],
    ["reject", false, "rejected"],
    [undefined, false, "cancelled"],
  ] as const)("a client that selects %s decides the call", async (optionId, approved, reason) => {
    const decided: AcpApproval[] = [];
    let decide: (approval: AcpApproval) => void = () => {};
    const { runtime, acp } = setUp({
      runTurn: async function* run(turn) {
        yield { type: "start" };
        const decision = new Promise((resolve) => (decide = resolve));
        runtime.publishApproval(turn.streamRequestId, needed);
        await decision;
      },
      options: {
        onApproval(approval) {
          decided.push(approval);
          decide(approval);
        },
      },
    });
    const shown: object[] = [];
    const { app } = createClient(never);
    app.onRequest("session/request_permission", ({ params }) => {
      shown.push(params);
      const outcome = optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId };
      return { outcome } as never;
    });
    await app.connectWith(acp.agentFor(ADA), async (cx) => send(cx, await begin(cx, BOTH)));
    expect(shown).toMatchObject([
      {
        toolCall: { toolCallId: "c1", title: "delete_file", rawInput: { path: "/tmp/x" } },
        options: [{ kind: "allow_once" }, { kind: "reject_once" }],
      },
    ]);
    expect(decided).toMatchObject([{ approvalId: "a1", toolCallId: "c1", approved, reason }]);
  });
});

describe("a page of the kit with an agent of the kit", () => {
  test("a page of the kit as the client of an agent of the kit", async () => {
    const { runtime, acp } = setUp({
      runTurn: async function* run(turn) {
        yield { type: "start" };
        yield* text(JSON.stringify(await Promise.all([turn.ask(CITY), turn.ask(CONNECT)])));
      },
    });
    const page = createPage();
    await page.app.connectWith(acp.agentFor(ADA), async (cx) => {
      const sessionId = await begin(cx, page.channel.capabilities);
      const turn = send(cx, sessionId);
      await page.item(1);
      for (const { id, request } of page.client.getSnapshot().items) {
        if (request.mode === "form") await page.client.accept(id, { city: "Rome" });
        else void page.client.connect(id);
      }
      await expect.poll(waitingFor(runtime, sessionId)).toBe(1);
      const [record] = await runtime.elicitations.listOpen(sessionId, "ada");
      await runtime.elicitations.complete(record!.request.elicitationId);
      expect(await turn).toEqual({ stopReason: "end_turn" });
    });
    expect(page.statuses()).toEqual(["accepted", "accepted"]);
    const [item] = page.client.getSnapshot().items;
    expect(item?.request.expiresAt).toBeDefined();
    expect(JSON.stringify(page.updates)).toContain("Rome");
  });
});
