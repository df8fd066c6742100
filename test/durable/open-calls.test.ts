/** Tests for questions of a tool call when a process is killed while its card is open. */
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../../src/node/index.ts";
import { answering } from "../interop/mcp/servers.ts";
import { readStream } from "../stages/chat-client.ts";
import { createTestDatabase, startPorts } from "../stages/postgres-database.ts";
import { createSignInServer } from "../stages/sign-in-server.ts";
import { createTestRuntime } from "../stages/test-runtime.ts";
import { answer, startServer } from "./server-process.ts";

const program = fileURLToPath(new URL("durable-server.ts", import.meta.url));

/** Two processes. The agent of some conversations calls an MCP server. */
async function setUp(mcpUrl = "") {
  const { url, query } = await createTestDatabase();
  await query("create table effects (what text not null, process integer not null)");
  const start = () => startServer(url, { program, args: [mcpUrl] });
  const [first, second] = await Promise.all([start(), start()]);
  return { url, first, second };
}

const outputs = (chunks: readonly Readonly<Record<string, unknown>>[]) =>
  chunks.flatMap((chunk) => (chunk["type"] === "tool-output-available" ? [chunk["output"]] : []));

test("when a process is killed while the user chooses, the choice counts, and the next question is shown although the first was declined", async () => {
  const { first, second } = await setUp();
  const before = await first.ada.send("choice-1");
  before.done.catch(() => {});
  const ann = await before.request();
  await first.ada.answer("choice-1", { ...ann, action: "decline" });
  const choice = await before.request(0, ({ message }) => message === "Send it to whom?");
  await first.kill();

  const after = readStream(await second.ada.fetch("/run/api/chat/choice-1/stream"));
  expect((await second.ada.answer("choice-1", { ...choice, ...answer("Bob") })).status).toBe(200);
  const bob = await after.request(0, ({ message }) => message === "Send the invoice to Bob?");
  await second.ada.answer("choice-1", { ...bob, action: "accept", content: { answer: true } });
  await after.done;
  expect(outputs(after.chunks)).toEqual([{ answer: false }, { answer: "Bob" }, { answer: true }]);
  expect(after.chunks.at(-1)).toMatchObject({ type: "finish" });
  expect(second.log.join("")).not.toContain("Error");
});

test(
  "when a process is killed while a task of an MCP server waits for the user, another process starts a new task, which gets the answer once",
  { tags: ["long"] },
  async () => {
    const FORM = {
      mode: "form",
      message: "Which city?",
      requestedSchema: {
        type: "object",
        properties: { answer: { type: "string", title: "City" } },
        required: ["answer"],
      },
    };
    let tasks = 0;
    const updates: unknown[] = [];
    const about = (taskId: unknown) => {
      const at = "2026-11-20T12:00:00Z";
      return { taskId, createdAt: at, lastUpdatedAt: at, ttlMs: 600_000, pollIntervalMs: 200 };
    };
    const mcp = await answering(
      () => {
        tasks += 1;
        return { resultType: "task", ...about(`task-${tasks}`), status: "working" };
      },
      {
        "tasks/get": ({ taskId }) => ({
          resultType: "complete",
          ...about(taskId),
          ...(updates.length === 0
            ? {
                status: "input_required",
                inputRequests: { city: { method: "elicitation/create", params: FORM } },
              }
            : {
                status: "completed",
                result: { resultType: "complete", content: [{ type: "text", text: "Booked." }] },
              }),
        }),
        "tasks/update"({ taskId, inputResponses }) {
          updates.push({ taskId, inputResponses });
          return { resultType: "complete" };
        },
        "tasks/cancel": () => ({ resultType: "complete" }),
      },
    );
    const { first, second } = await setUp(mcp.url);
    const before = await first.ada.send("task-1");
    before.done.catch(() => {});
    const city = await before.request();
    await first.kill();

    const after = readStream(await second.ada.fetch("/run/api/chat/task-1/stream"));
    await expect.poll(() => tasks).toBe(2);
    expect((await second.ada.answer("task-1", { ...city, ...answer("Rome") })).status).toBe(200);
    await after.done;
    expect(updates).toEqual([
      { taskId: "task-2", inputResponses: { city: { action: "accept", content: { answer: "Rome" } } } },
    ]);
    expect(outputs(after.chunks)).toEqual(["Booked."]);
    expect(after.chunks.at(-1)).toMatchObject({ type: "finish" });
  },
);

test.each([
  { when: "after another process has called again", mayCallAgain: true, tokens: ["t1", "t1", "t2"] },
  { when: "before another process runs the turn", mayCallAgain: false, tokens: ["t1", "t2"] },
])(
  "when a process is killed while a server needs more scopes, and the user allows them $when, the call is made with these scopes",
  { tags: ["long"] },
  async ({ mayCallAgain, tokens }) => {
    const granted = new Map([["t1", ["issues:read"]]]);
    const { server, url: mcpUrl } = await serveIssues(async (token) => granted.get(token));
    const { url, first, second } = await setUp(mcpUrl);
    // The process of the page on which the user allows more scopes.
    const { credentials, records, waiter, clock } = await startPorts(url);
    const page = createTestRuntime(async function* none() {}, { ports: { records, waiter, clock } });
    await credentials.set("issues", "ada", { accessToken: "t1", scope: "issues:read" });
    const before = await first.ada.send("scopes-1");
    before.done.catch(() => {});
    const { elicitationId, message } = await before.request();
    expect(message).toContain("with more access to your Issues account: issues:write");
    await first.kill();

    const after = readStream(await second.ada.fetch("/run/api/chat/scopes-1/stream"));
    if (mayCallAgain) await expect.poll(() => server.calls).toHaveLength(2);
    granted.set("t2", ["issues:read", "issues:write"]);
    const more = { accessToken: "t2", scope: "issues:read issues:write" };
    expect(
      await page.elicitations.complete(elicitationId, () => credentials.set("issues", "ada", more)),
    ).toBe(true);
    await after.done;
    expect(server.calls.map(({ token }) => token)).toEqual(tokens);
    expect(outputs(after.chunks)).toEqual(["create_issue done"]);
    const asked = after.chunks.filter(({ type }) => type === "data-elicitation-request");
    expect(new Set(asked.map(({ id }) => id))).toEqual(new Set([elicitationId]));
    expect(after.chunks).toContainEqual(expect.objectContaining({ type: "finish" }));
    expect(second.log.join("")).not.toContain("Error");
  },
);

/** The issues server on a real socket. */
async function serveIssues(scopesOf: (token: string) => Promise<readonly string[] | undefined>) {
  let handle: typeof fetch | undefined;
  const { url, close } = await serve({
    fetch: async (request) => (await handle?.(request)) ?? new Response(null, { status: 503 }),
  });
  onTestFinished(close);
  const server = createSignInServer({
    url: `${url}/mcp`,
    authorizationServers: ["https://login.example.com"],
    scopesOf,
  });
  handle = server.fetch;
  return { server, url: `${url}/mcp` };
}
