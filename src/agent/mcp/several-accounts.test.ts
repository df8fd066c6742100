/** Tests for users with several accounts at one MCP server: a work and a home account, for example. */
import { expect, test } from "vitest";
import { type ReadStream, createChatClient } from "../../../test/stages/chat-client.ts";
import { createMcpTracker } from "../../../test/stages/mcp-tracker.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import type { ElicitationRequest } from "../../contract/contract.ts";
import { createMemoryCredentials } from "../../connect/ports/credentials.ts";
import { type McpServer, createAgentTurn } from "../index.ts";

const CREATE = { tracker_create_issue: { title: "Login fails" } };
const LIST = { tracker_list_issues: {} };
const SWITCH = { tracker_use_another_account: {} };

function setUp(
  steps: readonly Step[],
  { listing = "open", ...options }: Partial<McpServer> & { listing?: "open" | "closed" } = {},
) {
  const tracker = createMcpTracker({ listing });
  const credentials = createMemoryCredentials();
  const model = createScriptedModel(...steps);
  const errors: unknown[] = [];
  const runtime = createTestRuntime((turn) => runTurn(turn));
  const runTurn = createAgentTurn({
    model,
    credentials,
    mcpServers: [
      {
        name: "tracker",
        url: "https://tracker.example.com/mcp",
        service: "Tracker",
        credentialScope: "user",
        several: true,
        fetch: tracker.fetch,
        ...options,
      },
    ],
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo" },
    clock: runtime.clock,
    onError: (error) => errors.push(error),
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const connect = async (id: string, account: string) => {
    tracker.accepted.add(account);
    await credentials.set(id, "ada", { accessToken: account, account, scope: "issues:write" });
  };
  const chosenOn = new Set<string>();
  const choose = async (stream: ReadStream, account: string) => {
    const isNew = (request: ElicitationRequest) => !chosenOn.has(request.elicitationId);
    const { elicitationId } = await stream.request(0, isNew);
    chosenOn.add(elicitationId);
    await ada.answer("c1", { elicitationId, action: "accept", content: { account } });
  };
  const finish = async (stream: ReadStream) => {
    await stream.done;
    expect(errors).toEqual([]);
  };
  return { runtime, ada, model, tracker, credentials, connect, choose, finish };
}

const toolsOf = ({ model }: ReturnType<typeof setUp>, step: number) =>
  model.doStreamCalls[step]?.tools?.map(({ name }) => name);

test("a user with several accounts at a server is asked which one to use, once in a turn", async () => {
  const s = setUp([{ ...CREATE, ...LIST }, LIST, "Done."]);
  await s.connect("tracker", "home");
  await s.connect("tracker/2", "work");
  const stream = await s.ada.send("c1");
  const { message, requestedSchema } = await stream.request();
  expect(message).toBe("Which Tracker account should Demo use?");
  expect(Object(requestedSchema).properties.account.oneOf).toEqual([
    { const: "tracker", title: "home" },
    { const: "tracker/2", title: "work" },
    { const: "another", title: "Another account" },
  ]);
  await s.choose(stream, "tracker/2");
  await s.finish(stream);
  expect(s.tracker.calls.map(({ token }) => token)).toEqual(["work", "work", "work"]);
});

test("a user with one account is asked nothing", async () => {
  const s = setUp([CREATE, "Done."]);
  await s.connect("tracker/2", "work");
  await s.finish(await s.ada.send("c1"));
  expect(s.tracker.calls).toEqual([{ tool: "create_issue", token: "work" }]);
});

test("a user who wants another account connects it, and the tools of the server then use that one", async () => {
  const s = setUp([CREATE, SWITCH, CREATE, "Done."]);
  await s.connect("tracker", "home");
  const stream = await s.ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(message).toBe("To continue with another Tracker account.");
  const record = await s.runtime.elicitations.get(elicitationId);
  expect(record).toMatchObject({
    tool: { id: "tracker/2" },
    signIn: { another: true, scope: "issues:write" },
  });
  await s.runtime.elicitations.complete(elicitationId, () => s.connect("tracker/2", "work"));
  await s.finish(stream);
  expect(s.tracker.calls.map(({ token }) => token)).toEqual(["home", "work"]);
  expect(toolResultsSeen(s.model)[1]).toEqual({
    type: "text",
    value:
      "From now on, tracker_create_issue, tracker_list_issues use the Tracker account that the user has just chosen.",
  });
  expect(toolsOf(s, 2)).toEqual(toolsOf(s, 0));
});

test("a user who has chosen an account can choose the other one in the same turn", async () => {
  const s = setUp([CREATE, SWITCH, CREATE, "Done."]);
  await s.connect("tracker", "home");
  await s.connect("tracker/2", "work");
  const stream = await s.ada.send("c1");
  await s.choose(stream, "tracker/2");
  await s.choose(stream, "tracker");
  await s.finish(stream);
  expect(s.tracker.calls.map(({ token }) => token)).toEqual(["work", "home"]);
});

test("a user who connects no other account keeps the one that they have", async () => {
  const s = setUp([SWITCH, CREATE, "Done."], { signIn: "on-demand" });
  await s.connect("tracker", "home");
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  await s.runtime.elicitations.decline(elicitationId);
  await s.finish(stream);
  expect(s.tracker.calls.map(({ token }) => token)).toEqual(["home"]);
});

test("the tools are listed with an account that the server accepts", async () => {
  const s = setUp([CREATE, "Done."], { listing: "closed" });
  await s.credentials.set("tracker", "ada", { accessToken: "revoked", account: "home" });
  await s.connect("tracker/2", "work");
  await s.finish(await s.ada.send("c1"));
  expect(s.tracker.calls).toEqual([{ tool: "create_issue", token: "work" }]);
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
});

test("a server that lists its tools only with an account has the tool for another one after the first is connected", async () => {
  const s = setUp([{ tracker: {} }, CREATE, "Done."], { listing: "closed" });
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  await s.runtime.elicitations.complete(elicitationId, () => s.connect("tracker", "home"));
  await s.finish(stream);
  const tools = ["tracker_create_issue", "tracker_list_issues", "tracker_use_another_account"];
  expect([toolsOf(s, 0), toolsOf(s, 1)]).toEqual([["tracker"], tools]);
});

test("a server without the option has one account for each user, and no tool for another one", async () => {
  const s = setUp([CREATE, "Done."], { several: false });
  await s.connect("tracker", "home");
  await s.connect("tracker/2", "work");
  await s.finish(await s.ada.send("c1"));
  expect(s.tracker.calls.map(({ token }) => token)).toEqual(["home"]);
  expect(toolsOf(s, 0)).toEqual(["tracker_create_issue", "tracker_list_issues"]);
});
