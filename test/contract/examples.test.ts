import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createElicitor, createRuntime, toNextHandlers } from "elicit-kit/runtime";
import { createMemoryCredentials } from "elicit-kit/connect";
import { elicitationRules } from "elicit-kit/agent";
import { serve } from "elicit-kit/node";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createChatRuntime } from "../../docs/examples/chat-runtime.ts";
import { createConnectAccounts } from "../../docs/examples/connect-accounts.ts";
import { createExpressApp } from "../../docs/examples/express.ts";
import { createHonoApp } from "../../docs/examples/hono.ts";
import { telemetry } from "../../docs/examples/telemetry.ts";
import { CHAT_ORIGIN, authenticateTestUser, createChatClient } from "../stages/chat-client.ts";
import { listen } from "../stages/listen.ts";
import { createMcpTracker } from "../stages/mcp-tracker.ts";
import { noErrors } from "../stages/no-errors.ts";
import { createScriptedModel, toolResultsSeen } from "../stages/scripted-model.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("the examples of docs/run", () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  type Runtime = ReturnType<typeof createChatRuntime>;
  const frameworks: Record<string, (runtime: Runtime) => Promise<string>> = {
    hono: async (runtime) => served((request) => createHonoApp(runtime).fetch(request)),
    "Next.js": async (runtime) => {
      const handlers: Partial<Record<string, (request: Request) => Promise<Response>>> =
        toNextHandlers(runtime);
      return served((request) => handlers[request.method]?.(request) ?? new Response(null, { status: 405 }));
    },
    express: async (runtime) => {
      const { url, close } = await listen(createServer(createExpressApp(runtime)));
      closers.push(close);
      return url;
    },
  };

  async function served(fetch: (request: Request) => Response | Promise<Response>): Promise<string> {
    const { url, close } = await serve({ fetch });
    closers.push(close);
    return url;
  }

  it.each(Object.entries(frameworks))(
    "ask, get the answer and continue when they are served with %s",
    async (_, start) => {
      const model = createScriptedModel({ book_hotel: {} }, "Enjoy your stay.");
      const runtime = createChatRuntime({
        model,
        authenticate: async (request) => authenticateTestUser(request),
        chatOrigin: CHAT_ORIGIN,
      });
      const url = await start(runtime);
      closers.unshift(() => runtime.close());
      const ada = createChatClient(
        (request) => fetch(new Request(url + new URL(request.url).pathname, request)),
        { user: "ada" },
      );
      const stream = await ada.send("c1");
      const { elicitationId, message } = await stream.request();
      expect(message).toBe("Where to, and for how long?");
      const tooMany = { elicitationId, action: "accept", content: { city: "Lisbon", nights: 99 } };
      expect((await ada.answer("c1", tooMany)).status).toBe(400);
      const answer = { elicitationId, action: "accept", content: { city: "Lisbon", nights: 3 } };
      expect((await ada.answer("c1", answer)).status).toBe(200);
      await stream.done;
      expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "Booked 3 nights in Lisbon." }]);
      const preflight = await fetch(`${url}/run/api/chat`, {
        method: "OPTIONS",
        headers: { origin: CHAT_ORIGIN, "access-control-request-method": "POST" },
      });
      expect(preflight.headers.get("access-control-allow-origin")).toBe(CHAT_ORIGIN);
    },
  );

  it("include a whole server in ten lines, which asks and continues with the answer", async () => {
    vi.stubEnv("PORT", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { server } = await import("../../docs/examples/first-runtime.ts");
    closers.push(() => server.close());
    const ada = createChatClient(
      (request) => fetch(new Request(server.url + new URL(request.url).pathname, request)),
      { headers: { origin: "http://localhost:5173" } },
    );
    const stream = await ada.send("c1");
    const { elicitationId, message } = await stream.request();
    expect(message).toBe("What is your name?");
    await ada.answer("c1", { elicitationId, action: "accept", content: { answer: "Ada" } });
    await stream.done;
    expect(stream.chunks).toContainEqual({ type: "text-delta", id: "1", delta: "Hello, Ada!" });
  });

  it("log each change of a request, with the telemetry of the guide", async () => {
    const info = vi.spyOn(console, "info").mockReturnValue();
    const runtime = createRuntime({
      telemetry,
      authenticate: authenticateTestUser,
      allowedOrigins: [CHAT_ORIGIN],
      onError: noErrors(),
      async *runTurn(turn) {
        await createElicitor({ turn, tool: "greet", toolCallId: turn.id }).text("What is your name?");
        yield { type: "finish" };
      },
    });
    closers.push(() => runtime.close());
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    const { elicitationId } = await stream.request();
    await ada.answer("c1", { elicitationId, action: "decline" });
    await stream.done;
    expect(info.mock.calls.map(([line]) => line)).toEqual(["elicitation.requested", "elicitation.declined"]);
    info.mockRestore();
  });

  it("ask to connect an account on the hosted page, and then make the call", async () => {
    const tracker = createMcpTracker();
    const model = createScriptedModel({ tracker_create_issue: { title: "Login" } }, "Done.");
    const stored = createMemoryCredentials();
    const { runtime, page } = createConnectAccounts({
      model,
      authenticate: async (request) => authenticateTestUser(request),
      stored,
      mcp: await served((request) => tracker.fetch(request.url, request)),
    });
    closers.unshift(() => runtime.close());
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    const request = await stream.request();
    const url = request.mode === "url" ? request.url : "";
    expect(url).toMatch(/^https:\/\/auth\.example\.com\/auth\/connect\?/);
    expect((await page.fetch(new Request(url))).status).toBe(200);
    expect(tracker.calls).toEqual([]);
    tracker.accepted.add("of-ada");
    await runtime.elicitations.complete(request.elicitationId, () =>
      stored.set("tracker", "ada", { accessToken: "of-ada" }),
    );
    await stream.done;
    expect(tracker.calls).toEqual([{ tool: "create_issue", token: "of-ada" }]);
    expect(JSON.stringify(toolResultsSeen(model))).toContain('Created \\"Login');
  });

  it.each(["first-runtime", "chat-runtime", "telemetry", "connect-accounts", "hono", "express"])(
    "are in the guide unchanged: %s",
    (name) => {
      const path = `docs/examples/${name}.ts`;
      const guides = ["run/runtime", "run/telemetry", "accounts/hosted-page"]
        .map((page) => read(`docs/${page}.md`))
        .join("");
      expect(guides).toContain(`\`\`\`ts\n// ${path}\n${read(path)}\`\`\``);
    },
  );
});

it("docs/ask/rules-for-agents.md contains the rules exactly as they are exported", () => {
  expect(read("docs/ask/rules-for-agents.md")).toContain(`\`\`\`text\n${elicitationRules}\n\`\`\``);
});
