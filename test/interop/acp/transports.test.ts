import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { createAcpWebSocketServer } from "../../../docs/examples/acp-websocket.ts";
import { listen } from "../../stages/listen.ts";
import { CITY, asking, createTestRuntime } from "../../stages/test-runtime.ts";
import { begin, createPage } from "./apps.ts";

const loader = new URL("./source-loader.mjs", import.meta.url).href;

function start(): ChildProcess & { stdin: Writable; stdout: Readable } {
  const child = spawn(process.execPath, ["--import", loader, "test/interop/acp/stdio-agent.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  return child;
}

test("an agent over stdio asks with a form and a page, and ends with its connection", async () => {
  const child = start();
  const page = createPage();
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as never);
  const connection = page.app.connect(stream);
  const sessionId = await begin(connection.agent, page.channel.capabilities);
  const turn = connection.agent.request("session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "Go" }],
  });
  await page.item(1);
  for (const { id, request } of page.client.getSnapshot().items) {
    if (request.mode === "form") await page.client.accept(id, { city: "Rome" });
    else await page.client.decline(id);
  }
  expect(await turn).toEqual({ stopReason: "end_turn" });
  expect(JSON.stringify(page.updates)).toMatch(/Rome.*declined/);
  connection.close();
  child.stdin.end();
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
});

async function serve() {
  const runtime = createTestRuntime(asking(CITY));
  const { server, close } = createAcpWebSocketServer({
    runtime,
    authenticate: async (request) =>
      request.headers.get("cookie") === "user=ada" ? { id: "ada" } : undefined,
    allowedOrigins: ["https://app.example.com"],
  });
  const listening = await listen(server);
  onTestFinished(async () => {
    await close();
    await listening.close();
  });
  return { runtime, url: `ws://127.0.0.1:${listening.port}/acp` };
}

const connectTo = (url: string, headers: Record<string, string>) =>
  createWebSocketStream(url, { WebSocket, headers });

test("when a WebSocket is lost, the question is withdrawn, and a new connection can load the session", async () => {
  const { runtime, url } = await serve();
  const headers = { cookie: "user=ada", origin: "https://app.example.com" };
  const page = createPage();
  const first = page.app.connect(connectTo(url, headers));
  const sessionId = await begin(first.agent, page.channel.capabilities);
  const params = { sessionId, prompt: [{ type: "text" as const, text: "Go" }] };
  first.agent.request("session/prompt", params).catch(() => {});
  await page.item();
  first.close();
  await expect.poll(() => page.statuses()).toEqual(["withdrawn"]);
  await expect.poll(() => runtime.elicitations.listOpen(sessionId, "ada")).toEqual([]);

  const second = page.app.connect(connectTo(url, headers));
  await second.agent.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: page.channel.capabilities,
  });
  await second.agent.request("session/load", { sessionId, cwd: "/home/ada", mcpServers: [] });
  const turn = second.agent.request("session/prompt", params);
  await page.client.accept((await page.item(1)).id, { city: "Rome" });
  expect(await turn).toEqual({ stopReason: "end_turn" });
  expect(page.statuses()).toEqual(["withdrawn", "accepted"]);
  second.close();
});

test("a WebSocket without a user is refused, and so is a page of another origin", async () => {
  const { url } = await serve();
  for (const headers of [
    { origin: "https://app.example.com" },
    { cookie: "user=ada", origin: "https://evil.example.com" },
  ]) {
    const socket = new WebSocket(url, { headers });
    const [error] = await once(socket, "error").catch((thrown: unknown) => [thrown]);
    expect(String(error)).toContain("403");
  }
});

test.each(["acp-stdio", "acp-websocket"])(
  "docs/protocols/acp.md contains the tested %s unchanged",
  (name) => {
    const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
    const path = `docs/examples/${name}.ts`;
    expect(read("docs/protocols/acp.md")).toContain(`\`\`\`ts\n// ${path}\n${read(path)}\`\`\``);
  },
);
