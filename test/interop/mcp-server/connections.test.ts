import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { createElicitingHandler, createMcpSurface } from "../../../extras/mcp-server/index.ts";
import type { McpCaller } from "../../../extras/mcp-server/agent-calls.ts";
import { serveAgent } from "./agent.ts";
import { BOTH, type Era, clientV1, clientV2 } from "./clients.ts";
import { asks, asksForCity } from "./turns.ts";
import { INITIALIZE } from "./wire.ts";

const RESOURCE = {
  authorizationServers: ["https://login.example.com"],
  scopes: ["agent"],
};

describe("a request without a valid token", () => {
  test("gets 401 with the URL of the metadata, which the endpoint serves", async () => {
    const { url } = await serveAgent(asksForCity, { surface: { resource: RESOURCE } });
    for (const headers of [{}, { authorization: "Bearer !" }]) {
      const init = {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json", ...headers },
      };
      const reply = await fetch(url, init);
      expect(reply.status).toBe(401);
      expect(reply.headers.get("www-authenticate")).toContain(
        'resource_metadata="https://agent.example.com/.well-known/oauth-protected-resource/run/v1/mcp"',
      );
    }
    const metadata = await fetch(new URL("/.well-known/oauth-protected-resource/run/v1/mcp", url));
    expect(await metadata.json()).toEqual({
      resource: "https://agent.example.com/run/v1/mcp",
      authorization_servers: RESOURCE.authorizationServers,
      scopes_supported: ["agent"],
      bearer_methods_supported: ["header"],
    });
  });

  test("gets 401 even when the endpoint has no metadata", async () => {
    const { url } = await serveAgent(asksForCity);
    const reply = await fetch(url, { method: "POST", body: "{}" });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
  });
});

test("two agents of one runtime must have different kinds", async () => {
  const first = await serveAgent(asksForCity);
  const at = (kind?: string) =>
    createMcpSurface({
      runtime: first.runtime,
      authenticate: () => ({ user: { id: "ada" } }),
      url: "https://agent.example.com/support",
      name: "support",
      onError: () => undefined,
      kind,
    });
  expect(() => at()).toThrow('elicit-kit: two surfaces of this runtime have the kind "mcp"');
  expect(() => at("mcp-support")).not.toThrow();
});

test("creating the surface fails if its address is one that no client could call", async () => {
  for (const url of ["/run/v1/mcp", "https://agent.example.com/mcp?tenant=7"]) {
    await expect(serveAgent(asksForCity, { surface: { url } })).rejects.toThrow(
      `elicit-kit: url must be the public URL of the endpoint`,
    );
  }
});

describe("a service account that acts for many users", () => {
  const greets = asks(async () => "Hello.");

  test.each<[Era]>([["2025-11-25"], ["2026-07-28"]])("is limited as one client in %s", async (era) => {
    const { url } = await serveAgent(greets, { runtime: { limits: { writesPerMinute: 2 } } });
    const call = async (token: string) => (await clientV2(url, era, { token })).call({ message: "Hi" });
    for (const token of ["service@busy", "service@busy", "service@other", "ada@busy"]) {
      expect(await call(token)).toMatchObject({ isError: false });
    }
    const refused = await call("service@busy");
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toMatch(/^Too many messages at once. Try again in \d+ seconds.$/);
    // Without a client id it cannot be identified.
    for (let count = 0; count < 3; count += 1)
      expect(await call("service")).toMatchObject({ isError: false });
  });
});

describe("a caller without an id", () => {
  test.each([{ user: { id: "" } }, { user: {} }])(
    "causes an error of the server, and does not count as a user (%j)",
    async (caller) => {
      const { url, errors, surface } = await serveAgent(asksForCity, {
        surface: { authenticate: () => caller as McpCaller },
      });
      expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(500);
      expect(String(errors[0])).toContain("authenticate must return a user whose id is a non-empty string");
      expect(() => surface.serverFor(caller as McpCaller)).toThrow("whose id is a non-empty string");
    },
  );
});

describe("a web page", () => {
  test("that uses DNS rebinding gets 403, while the names of the server work", async () => {
    const { surface } = await serveAgent(asksForCity, {
      surface: { allowedHosts: ["agent.internal"] },
    });
    const handler = createElicitingHandler(() => new McpServer({ name: "tools", version: "1" }), {
      allowedHosts: ["agent.internal", "agent.example.com"],
      onError() {},
    });
    const statusOf = async (serve: (request: Request) => Promise<Response>, host: string) => {
      const headers = {
        host,
        origin: `http://${host}`,
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: "Bearer ada",
      };
      const body = JSON.stringify(INITIALIZE);
      const url = "http://127.0.0.1/run/v1/mcp";
      return (await serve(new Request(url, { method: "POST", headers, body }))).status;
    };
    onTestFinished(() => handler.close());
    for (const serve of [surface.fetch, (request: Request) => handler.fetch(request)]) {
      for (const host of ["evil.example", "evil.example:3000", "localhost.evil.example", "10.0.0.1", "["]) {
        expect([host, await statusOf(serve, host)]).toEqual([host, 403]);
      }
      for (const host of ["localhost:3000", "127.0.0.1", "[::1]:80", "agent.internal", "agent.example.com"]) {
        expect([host, await statusOf(serve, host)]).toEqual([host, 200]);
      }
    }
  });

  test("gets 403 from an origin that is not allowed", async () => {
    const { url, received } = await serveAgent(asksForCity);
    const headers = {
      origin: "https://evil.example.com",
      "content-type": "application/json",
      authorization: "Bearer ada",
    };
    expect((await fetch(url, { method: "POST", body: "{}", headers })).status).toBe(403);
    expect(received).toHaveLength(1);
  });

  test("can read replies from an allowed origin", async () => {
    const origin = "https://inspector.example.com";
    const { url } = await serveAgent(asksForCity, { surface: { allowedOrigins: [origin] } });
    const preflight = await fetch(url, { method: "OPTIONS", headers: { origin } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const headers = { origin, "content-type": "application/json", authorization: "Bearer ada" };
    const reply = await fetch(url, { method: "POST", body, headers });
    expect(reply.headers.get("access-control-allow-origin")).toBe(origin);
  });
});

describe("a session", () => {
  test.each([
    ["version 1", clientV1],
    ["version 2", clientV2],
  ])("withdraws its question when the session ends while the user thinks (%s)", async (_, connect) => {
    let outcome: unknown;
    const run = asks(async (elicitor) => {
      outcome = await elicitor.text("Where to?");
    });
    const { url } = await serveAgent(run);
    let isAsked = false;
    const client = await connect(url, "2025-11-25", {
      answer(__, signal) {
        isAsked = true;
        return new Promise((resolve) =>
          signal.addEventListener("abort", () => resolve({ action: "cancel" })),
        );
      },
    });
    const call = client.call({ message: "Go" }).catch((error: unknown) => error);
    await expect.poll(() => isAsked).toBe(true);
    await client.endSession();
    await expect.poll(() => outcome).toMatchObject({ outcome: "withdrawn" });
    expect(await call).toBeInstanceOf(Error);
  });

  test("stays open when the client cancels a call, and the turn of the call stops", async () => {
    let outcome: unknown;
    const run = asks(async (elicitor) => {
      outcome = await elicitor.text("Where to?");
    });
    const { url } = await serveAgent(run);
    const abort = new AbortController();
    let withdrawn = false;
    const client = await clientV2(url, "2025-11-25", {
      answer(_, signal) {
        abort.abort();
        return new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            withdrawn = true;
            resolve({ action: "cancel" });
          }),
        );
      },
    });
    await expect(client.call({ message: "Go" }, { signal: abort.signal })).rejects.toThrow("aborted");
    await expect.poll(() => outcome).toMatchObject({ outcome: "withdrawn" });
    await expect.poll(() => withdrawn).toBe(true);
  });

  test("cannot be used by another user", async () => {
    const { url } = await serveAgent(asksForCity);
    const sessions: string[] = [];
    const client = new Client({ name: "c", version: "1" }, { capabilities: BOTH });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: "Bearer ada" } },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    sessions.push(transport.sessionId ?? "");
    const body = JSON.stringify({ jsonrpc: "2.0", id: 5, method: "tools/list" });
    const statusFor = async (token: string) => {
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": sessions[0] ?? "",
        authorization: `Bearer ${token}`,
      };
      return (await fetch(url, { method: "POST", body, headers })).status;
    };
    expect([await statusFor("ada"), await statusFor("bob"), await statusFor("ada@other")]).toEqual([
      200, 404, 404,
    ]);
  });

  test("is refused beyond the limit while the others are in use", async () => {
    const { url } = await serveAgent(asksForCity, { surface: { maxSessions: 1 } });
    await clientV2(url, "2025-11-25");
    const second = clientV2(url, "2025-11-25");
    // The first client listens on its own stream, so its session is in use.
    await expect(second).rejects.toThrow("Too many sessions");
  });

  test("notifies the client when a question has expired", async () => {
    const { url } = await serveAgent(asksForCity, { runtime: { timeToAnswer: { expiresInMs: 300 } } });
    let cancelled = false;
    const client = await clientV2(url, "2025-11-25", {
      answer: (_, signal) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            cancelled = true;
            resolve({ action: "cancel" });
          }),
        ),
    });
    const { text } = await client.call({ message: "Go" });
    expect(text).toContain("nobody answered");
    await expect.poll(() => cancelled).toBe(true);
  });

  test.each([
    ["content of another type", { action: "accept", content: { answer: 5 } }, "failed"],
    ["a mode that it has not declared, as an error", undefined, "cancelled"],
  ])("returns a result even when the client answers with %s", async (_, answer, outcome) => {
    const { url } = await serveAgent(asksForCity);
    const client = await clientV1(url, "2025-11-25", {
      answer() {
        if (answer === undefined) throw new Error("unsupported mode");
        return answer as { action: "accept" };
      },
    });
    const { text } = await client.call({ message: "Go" });
    expect(JSON.parse(text).outcome).toBe(outcome);
  });
});

test.each(["2025-11-25", "2026-07-28"] as const)(
  "a connection over stdio serves only one user (%s)",
  async (era) => {
    const { surface } = await serveAgent(asksForCity);
    const toServer = new PassThrough();
    const toClient = new PassThrough();
    const served = serveStdio(surface.serverFor({ user: { id: "ada" } }), {
      transport: new StdioServerTransport(toServer, toClient),
    });
    onTestFinished(() => served.close());
    const client = new Client(
      { name: "c", version: "1" },
      {
        capabilities: BOTH,
        ...(era === "2026-07-28" && { versionNegotiation: { mode: { pin: "2026-07-28" as const } } }),
      },
    );
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { answer: "Oslo" } }));
    // The client's half of the pipe: a transport over the same two streams.
    await client.connect(new StdioServerTransport(toClient, toServer));
    onTestFinished(() => client.close());
    const result = await client.callTool({ name: "ask_agent", arguments: { message: "Go" } });
    expect(JSON.stringify(result.content)).toContain("Oslo");
  },
);
