import { inspect } from "node:util";
import { expect, test, vi } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { type McpTracker, createMcpTracker } from "../../../test/stages/mcp-tracker.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import type { Telemetry } from "../../runtime/index.ts";
import type { TelemetryAttributes } from "../../runtime/internal.ts";
import { type CredentialStore, createMemoryCredentials } from "../../connect/ports/credentials.ts";
import { StoreAway, originalOf } from "../../base/foreign-error.ts";
import { createAgentTurn } from "../index.ts";

const ICON = "data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E";

const ISSUE = { tracker_create_issue: { title: "Login fails" } };
const CALL = { tool: "create_issue", token: "ada-token" };

function setUp(
  steps: readonly Step[],
  tracker: McpTracker = createMcpTracker(),
  credentials: CredentialStore = createMemoryCredentials(),
  { telemetry, signIn }: { telemetry?: Telemetry; signIn?: "first" | "on-demand" } = {},
) {
  const model = createScriptedModel(...steps);
  const agentErrors: unknown[] = [];
  const runtime = createTestRuntime((turn) => runTurn(turn), {
    isCompleted: async ({ tool, user }) => (await credentials.get(tool?.id ?? "", user.id)) !== undefined,
  });
  const runTurn = createAgentTurn({
    model,
    credentials,
    mcpServers: [
      {
        name: "tracker",
        url: "https://tracker.example.com/mcp",
        service: "Tracker",
        iconDataUrl: ICON,
        credentialScope: "user",
        signIn,
        fetch: tracker.fetch,
      },
    ],
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo agent" },
    telemetry,
    clock: runtime.clock,
    onError: (error) => agentErrors.push(error),
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const connect = async (elicitationId: string, accessToken: string) => {
    tracker.accepted.add(accessToken);
    return runtime.elicitations.complete(elicitationId, () =>
      credentials.set("tracker", "ada", { accessToken }),
    );
  };
  return { runtime, credentials, model, tracker, ada, connect, agentErrors };
}

test("a call without a credential asks the user to connect, then runs once with the new credential", async () => {
  const { ada, connect, tracker, model, agentErrors } = setUp([ISSUE, "Done."]);
  const stream = await ada.send("c1");
  const request = await stream.request();
  expect(request).toMatchObject({
    mode: "url",
    url: `https://auth.example.com/auth/connect?elicitationId=${request.elicitationId}`,
    message: "For “Create issue: Login fails”, with your Tracker account.",
    requester: { name: "Demo agent" },
    service: { name: "Tracker", iconDataUrl: ICON },
    toolCallId: "call_0_0",
    context: {
      trigger: "credential_required",
      credentialType: "oauth",
      toolName: "tracker_create_issue",
      service: "Tracker",
    },
  });
  expect(tracker.calls).toEqual([]);

  await connect(request.elicitationId, "ada-token");
  await stream.done;
  expect(tracker.calls).toEqual([CALL]);
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: 'Created "Login fails"' }]);
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ type: "tool-output-available", output: 'Created "Login fails"' }),
  );
  expect(JSON.stringify(stream.chunks)).not.toContain("ada-token");
  expect(agentErrors).toEqual([]);
});

test("with a stored credential, the user is not asked", async () => {
  const { ada, credentials, tracker } = setUp([ISSUE, "Done."]);
  tracker.accepted.add("ada-token");
  await credentials.set("tracker", "ada", { accessToken: "ada-token" });
  const stream = await ada.send("c1");
  await stream.done;
  expect(tracker.calls).toEqual([CALL]);
  expect(stream.chunks.filter(({ type }) => type === "data-elicitation-request")).toEqual([]);
});

test("one user's credential is never used for another", async () => {
  const { runtime, credentials, tracker } = setUp([ISSUE, "Done."]);
  tracker.accepted.add("ada-token");
  await credentials.set("tracker", "ada", { accessToken: "ada-token" });
  const stream = await createChatClient(runtime.fetch, { user: "bob" }).send("c1");
  expect((await stream.request()).mode).toBe("url");
  expect(tracker.calls).toEqual([]);
  await runtime.close();
});

test.each([
  [
    "decline",
    "Authentication required but not provided: the user declined to connect Tracker. Do not ask again in this turn; say what is missing and how to connect it.",
  ],
  [
    "cancel",
    "Authentication required but not provided: the user dismissed the request without deciding. Do not ask again in this turn; you may offer it later.",
  ],
])(
  "after a %s the model gets the reason, and a second try in the turn gets the same result without a question",
  async (action, text) => {
    const { ada, tracker, model } = setUp([ISSUE, { tracker_list_issues: {} }, "I see."]);
    const stream = await ada.send("c1");
    const { elicitationId } = await stream.request();
    await ada.answer("c1", { elicitationId, action });
    await stream.done;
    expect(toolResultsSeen(model)).toEqual([
      { type: "text", value: text },
      { type: "text", value: text },
    ]);
    expect(tracker.calls).toEqual([]);
    expect(
      new Set(stream.chunks.flatMap(({ type, id }) => (type === "data-elicitation-request" ? [id] : [])))
        .size,
    ).toBe(1);
  },
);

test("when the request expires, the model learns how long it was open", async () => {
  const { ada, runtime, model } = setUp([ISSUE, "I see."]);
  const stream = await ada.send("c1");
  await stream.request();
  runtime.clock.advance(600_000);
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([
    { type: "text", value: "Authentication required but not provided: nobody answered within 10 minutes." },
  ]);
});

test.each([
  ["a client without the capability", "ada", {}],
  ["a client that can only show forms", "ada", { capabilities: { elicitation: { form: {} } } }],
  ["nobody signed in", undefined, { capabilities: { elicitation: { url: {} } } }],
])("a call does not wait for %s: the model immediately learns what is missing", async (_, user, more) => {
  const { runtime, model, tracker } = setUp([ISSUE, "Sorry."]);
  const client = createChatClient(runtime.fetch, { user });
  const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "Go" }] }];
  const response = await client.fetch("/run/api/chat", { body: { id: "c1", messages, ...more } });
  const errorText =
    'Authentication required but not provided. Tool "tracker_create_issue" requires user authentication: the user needs to connect their Tracker account before this tool can be used. Do not retry this tool.';
  const stream = await response.text();
  expect(stream).toContain(
    JSON.stringify({ type: "tool-output-error", toolCallId: "call_0_0", errorText, dynamic: true }),
  );
  expect(stream).not.toContain("tool-output-available");
  expect(toolResultsSeen(model)).toEqual([{ type: "error-text", value: errorText }]);
  expect(tracker.calls).toEqual([]);
});

test("a chat that cannot ask gets a link, and the account connected there is used for the next message", async () => {
  const { ada, connect, tracker, runtime, agentErrors } = setUp([ISSUE, "Sorry.", ISSUE, "Done."]);
  const first = await ada.send("c1", { capabilities: { elicitation: { form: {} } } });
  await first.done;
  const notice = first.chunks.find(({ type }) => type === "data-tool-auth-required")?.["data"];
  expect(notice).toEqual({
    type: "data-tool-auth-required",
    toolCallId: "call_0_0",
    toolName: "tracker_create_issue",
    toolId: "tracker",
    mcpServerName: "Tracker",
    mcpServerUrl: "https://tracker.example.com/mcp",
    message: expect.stringContaining("Tracker account"),
    authLink: expect.stringMatching(/^https:\/\/auth\.example\.com\/auth\/connect\?elicitationId=[\w-]{22}$/),
  });
  const id = new URL(Object(notice).authLink).searchParams.get("elicitationId") ?? "";
  // No chat shows the request, and no other user can use the link.
  const open = await ada.fetch("/run/api/elicitations?conversationId=c1");
  expect(await open.json()).toEqual({ elicitations: [] });
  expect(await runtime.elicitations.find(id, "bob")).toBeUndefined();
  expect(await runtime.elicitations.find(id, "ada")).toMatchObject({
    status: "pending",
    tool: { id: "tracker" },
  });
  expect(await connect(id, "ada-token")).toBe(true);
  await (
    await ada.send("c1", { capabilities: { elicitation: { form: {} } } })
  ).done;
  expect(tracker.calls).toEqual([CALL]);
  expect(agentErrors).toEqual([]);
});

/** The user closed the window before connecting, but they or their chat still report completion. */
async function abandonPopup() {
  const set = setUp([ISSUE, "I see."]);
  const stream = await set.ada.send("c1");
  const { elicitationId } = await stream.request();
  const answering = set.ada.answer("c1", { elicitationId, action: "accept" });
  const answeredYet = () => {
    set.runtime.clock.advance(500);
    return Promise.race([answering, Promise.resolve(undefined)]);
  };
  await expect.poll(answeredYet).toBeDefined();
  expect((await answering).status).toBe(202);
  expect(set.tracker.calls).toEqual([]);
  return { ...set, stream, elicitationId };
}

test("an abandoned popup leaves the request open and calls no tool; a second attempt succeeds and calls the tool once", async () => {
  const { connect, stream, elicitationId, tracker } = await abandonPopup();
  await connect(elicitationId, "ada-token");
  await stream.done;
  expect(tracker.calls).toEqual([CALL]);
});

test("when the request of an abandoned popup expires, the model gets that outcome", async () => {
  const { runtime, stream, elicitationId, tracker, model, credentials } = await abandonPopup();
  runtime.clock.advance(600_000);
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([
    {
      type: "text",
      value: "Authentication required but not provided: nobody answered within 10 minutes.",
    },
  ]);
  expect(await runtime.elicitations.complete(elicitationId, () => Promise.reject(new Error("ran")))).toBe(
    false,
  );
  expect(await credentials.get("tracker", "ada")).toBeUndefined();
  expect(tracker.calls).toEqual([]);
});

test("two calls that need the same account share one card", async () => {
  const { ada, connect, tracker, model } = setUp([{ ...ISSUE, tracker_list_issues: {} }, "Done."]);
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await vi.waitUntil(() => stream.chunks.filter(({ type }) => type === "tool-input-available").length === 2);
  await connect(elicitationId, "ada-token");
  await stream.done;
  expect(tracker.calls.map(({ tool }) => tool).toSorted()).toEqual(["create_issue", "list_issues"]);
  expect(toolResultsSeen(model)).toContainEqual({
    type: "json",
    value: { text: "2 issues", structuredContent: { count: 2 } },
  });
  expect(
    new Set(stream.chunks.flatMap(({ type, id }) => (type === "data-elicitation-request" ? [id] : []))).size,
  ).toBe(1);
});

test("if a credential arrives late, the store is read up to three times, half a second apart", async () => {
  const { ada, runtime, credentials, tracker } = setUp([ISSUE, "Done."]);
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId);
  const idle = 1; // the keep-alive
  await vi.waitUntil(() => runtime.clock.waiting > idle, { interval: 1 });
  runtime.clock.advance(500);
  await vi.waitUntil(() => runtime.clock.waiting > idle, { interval: 1 });
  tracker.accepted.add("ada-token");
  await credentials.set("tracker", "ada", { accessToken: "ada-token" });
  runtime.clock.advance(500);
  await stream.done;
  expect(tracker.calls).toEqual([CALL]);
});

test("if a credential never arrives, the model gets an error text", async () => {
  const { ada, runtime, model, tracker } = setUp([ISSUE, "Sorry."]);
  const stream = await ada.send("c1");
  await runtime.elicitations.complete((await stream.request()).elicitationId);
  for (let pause = 1; pause <= 2; pause += 1) {
    await vi.waitUntil(() => runtime.clock.waiting > 1, { interval: 1 });
    runtime.clock.advance(500);
  }
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([
    {
      type: "text",
      value:
        "Authentication required but not provided: connecting Tracker failed (no credential was stored).",
    },
  ]);
  expect(tracker.calls).toEqual([]);
});

test("a credential that the server refuses is deleted, and the user is asked again", async () => {
  const { ada, connect, credentials, tracker } = setUp([ISSUE, "Done."]);
  tracker.readOnly.add("stale");
  await credentials.set("tracker", "ada", { accessToken: "stale" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect(await credentials.get("tracker", "ada")).toBeUndefined();
  await connect(elicitationId, "ada-token");
  await stream.done;
  expect(tracker.calls).toEqual([{ tool: "create_issue", token: "stale" }, CALL]);
});

test("when a token contains characters that a header cannot carry, the user is asked again, and neither the log nor the model gets the token", async () => {
  const { ada, connect, credentials, tracker, model, runtime, agentErrors } = setUp([ISSUE, "Done."]);
  await credentials.set("tracker", "ada", { accessToken: "sec\nret" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await connect(elicitationId, "ada-token");
  await stream.done;
  expect(tracker.calls).toEqual([CALL]);
  expect(inspect([model.doStreamCalls, agentErrors, runtime.errors], { depth: 20 })).not.toMatch(
    /sec\s|ret"/,
  );
});

test("when the store fails to delete a refused credential, the operator gets the error and the model a neutral text", async () => {
  const memory = createMemoryCredentials();
  const down = new Error("connect ECONNREFUSED postgres://kit:hunter2@db");
  const store = { ...memory, replace: () => Promise.reject(down) };
  const { ada, model, runtime, agentErrors, credentials } = setUp([ISSUE, "Sorry."], undefined, store);
  await credentials.set("tracker", "ada", { accessToken: "refused-token" });
  const stream = await ada.send("c1");
  await stream.done;
  const seen = JSON.stringify([toolResultsSeen(model), stream.chunks]);
  expect(seen).toContain("refused the new credential");
  expect(seen).not.toContain("hunter2");
  expect(agentErrors.map(originalOf)).toContain(down);
  expect(inspect([agentErrors, runtime.errors])).not.toContain("hunter2");
});

test("when the stored credential is invalid at the start of a turn, the server's tools are listed without it", async () => {
  const { ada, connect, credentials, tracker } = setUp([ISSUE, "Done."]);
  await credentials.set("tracker", "ada", { accessToken: "stale" });
  const stream = await ada.send("c1");
  await connect((await stream.request()).elicitationId, "ada-token");
  await stream.done;
  expect(tracker.calls).toEqual([CALL]);
});

test("if the new credential is refused too, the user is not asked a third time", async () => {
  const { ada, runtime, credentials, tracker, model } = setUp([ISSUE, "Sorry."]);
  tracker.readOnly.add("useless");
  const stream = await ada.send("c1");
  const refused = async (elicitationId: string) =>
    runtime.elicitations.complete(elicitationId, () =>
      credentials.set("tracker", "ada", { accessToken: "useless" }),
    );
  const first = (await stream.request()).elicitationId;
  await refused(first);
  const second = await stream.request(0, ({ elicitationId }) => elicitationId !== first);
  await refused(second.elicitationId);
  await stream.done;
  expect(tracker.calls.map(({ token }) => token)).toEqual(["useless", "useless"]);
  expect(await credentials.get("tracker", "ada")).toBeUndefined();
  expect(toolResultsSeen(model)).toEqual([
    {
      type: "text",
      value:
        "Authentication required but not provided: connecting Tracker failed (Tracker refused the new credential).",
    },
  ]);
});

test("a server that lists no tools without a credential gets one placeholder, and its tools once connected", async () => {
  const { ada, connect, model, tracker } = setUp(
    [{ tracker: {} }, ISSUE, "Done."],
    createMcpTracker({ listing: "closed" }),
  );
  const stream = await ada.send("c1");
  await connect((await stream.request()).elicitationId, "ada-token");
  await stream.done;
  const offered = model.doStreamCalls.map(({ tools }) => tools?.map(({ name }) => name));
  expect(offered).toEqual([
    ["tracker"],
    ["tracker_create_issue", "tracker_list_issues"],
    ["tracker_create_issue", "tracker_list_issues"],
  ]);
  expect(toolResultsSeen(model)[0]).toEqual({
    type: "text",
    value: "Tracker is connected. Its tools are: tracker_create_issue, tracker_list_issues.",
  });
  expect(tracker.calls).toEqual([CALL]);
});

test("stopping the turn while a call waits withdraws the request, and the tool never runs", async () => {
  const { ada, connect, tracker, credentials } = setUp([ISSUE, "Done."]);
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await stream.done;
  expect(await connect(elicitationId, "ada-token")).toBe(false);
  expect(await credentials.get("tracker", "ada")).toBeUndefined();
  expect(tracker.calls).toEqual([]);
});

test("the server's error message is passed on to the model and the user", async () => {
  const { ada, credentials, tracker } = setUp([{ tracker_create_issue: { title: "broken" } }, "Sorry."]);
  tracker.accepted.add("ada-token");
  await credentials.set("tracker", "ada", { accessToken: "ada-token" });
  const stream = await ada.send("c1");
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ type: "tool-output-error", errorText: "The tracker is read-only." }),
  );
});

test("a token that is refused before its expiry is renewed without asking, and the call succeeds", async () => {
  const memory = createMemoryCredentials();
  const renewals: string[] = [];
  const { ada, tracker } = setUp([ISSUE, "Done."], createMcpTracker(), {
    ...memory,
    async renew(_toolId, _userId, { accessToken }) {
      renewals.push(accessToken);
      return { accessToken: "ada-token" };
    },
  });
  tracker.readOnly.add("stale");
  tracker.accepted.add("ada-token");
  await memory.set("tracker", "ada", { accessToken: "stale" });
  const stream = await ada.send("c1");
  await stream.done;
  expect(renewals).toEqual(["stale"]);
  expect(tracker.calls).toEqual([{ tool: "create_issue", token: "stale" }, CALL]);
  expect(stream.chunks.filter(({ type }) => type === "data-elicitation-request")).toEqual([]);
});

test("if renewing the credential fails or does not help, the user is asked", async () => {
  for (const renew of [
    async () => ({ accessToken: "stale as well" }),
    () => Promise.reject(new Error("the provider is down")),
  ]) {
    const memory = createMemoryCredentials();
    const { ada, connect, tracker } = setUp([ISSUE, "Done."], createMcpTracker(), { ...memory, renew });
    for (const token of ["stale", "stale as well"]) tracker.readOnly.add(token);
    await memory.set("tracker", "ada", { accessToken: "stale" });
    const stream = await ada.send("c1");
    await connect((await stream.request()).elicitationId, "ada-token");
    await stream.done;
    expect(tracker.calls.at(-1)).toEqual(CALL);
    expect(tracker.calls.filter(({ token }) => token === "ada-token")).toHaveLength(1);
  }
});

test("while the database is away in which the new credential would be stored, the user is not asked to connect again", async () => {
  const memory = createMemoryCredentials();
  const renew = () => Promise.reject(new StoreAway("The disk is full."));
  const { ada, tracker, agentErrors } = setUp([ISSUE, "Sorry."], createMcpTracker(), { ...memory, renew });
  tracker.readOnly.add("stale");
  await memory.set("tracker", "ada", { accessToken: "stale" });
  const stream = await ada.send("c1");
  await stream.done;
  expect(stream.chunks.filter(({ type }) => type === "data-elicitation-request")).toEqual([]);
  expect(await memory.get("tracker", "ada")).toEqual({ accessToken: "stale" });
  expect(agentErrors).toEqual([expect.objectContaining({ message: "The disk is full." })]);
});

test("while the credential store is down, the user is not asked to connect again, and no call is made", async () => {
  const memory = createMemoryCredentials();
  let isDown = false;
  const tracker = createMcpTracker();
  const goesDown: McpTracker = {
    ...tracker,
    async fetch(input, init) {
      const response = await tracker.fetch(input, init);
      isDown = tracker.requests.includes("tools/list");
      return response;
    },
  };
  const { ada, model, agentErrors } = setUp([ISSUE, "Sorry."], goesDown, {
    ...memory,
    get: (...name) => (isDown ? Promise.reject(new Error("the provider is down")) : memory.get(...name)),
  });
  const stream = await ada.send("c1");
  await stream.done;
  expect(tracker.calls).toEqual([]);
  expect(toolResultsSeen(model)).toEqual([
    {
      type: "text",
      value:
        "Authentication required but not provided: connecting Tracker failed (the stored connection cannot be read at the moment).",
    },
  ]);
  expect(JSON.stringify(stream.chunks)).not.toContain("provider is down");
  expect(agentErrors).toHaveLength(1);
});

test("the placeholder stays when the user declines, and the model gets the reason", async () => {
  const { ada, tracker, model } = setUp([{ tracker: {} }, "I see."], createMcpTracker({ listing: "closed" }));
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(model.doStreamCalls.at(-1)?.tools?.map(({ name }) => name)).toEqual(["tracker"]);
  expect(tracker.calls).toEqual([]);
  expect(JSON.stringify(toolResultsSeen(model))).toContain("the user declined to connect Tracker");
});

test("calls that a server refuses because of the credential are counted by server and reason", async () => {
  const counted: TelemetryAttributes[] = [];
  const counter = { add: (_: number, attributes: TelemetryAttributes = {}) => counted.push(attributes) };
  const meter = {
    createCounter: () => counter,
    createUpDownCounter: () => counter,
    createHistogram: () => ({ record() {} }),
  };
  const tracker = createMcpTracker();
  const credentials = createMemoryCredentials();
  const first = setUp([ISSUE, "Done."], tracker, credentials, { telemetry: { meter } });
  await asks(first);
  expect(counted).toEqual([]);

  // Only a call shows that the server no longer accepts a stored credential.
  tracker.accepted.clear();
  const second = setUp([ISSUE, "Done."], tracker, credentials, { telemetry: { meter } });
  await asks(second);
  expect(counted).toEqual([{ "tool.id": "tracker", "elicitation.refusal": "invalid" }]);

  const third = setUp([ISSUE, "Done."], createMcpTracker(), createMemoryCredentials(), {
    telemetry: { meter },
    signIn: "on-demand",
  });
  await asks(third);
  expect(counted.slice(1)).toEqual([{ "tool.id": "tracker", "elicitation.refusal": "missing" }]);

  async function asks({ ada, connect }: ReturnType<typeof setUp>): Promise<void> {
    const stream = await ada.send("c1");
    const { elicitationId } = await stream.request();
    await connect(elicitationId, "ada-token");
    await stream.done;
  }
});
