/** Tests for sessions of clients before 2026, in plain HTTP: many callers of one process. */
import { expect, test } from "vitest";
import { z } from "zod";
import { serveAgent } from "./agent.ts";
import { serveTools } from "./tools.ts";
import { asks, asksForCity } from "./turns.ts";
import { ASK, INITIALIZE } from "./wire.ts";

function sending(url: string, token: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = (body: object, session?: string, signal?: AbortSignal) =>
    fetch(url, {
      method: "POST",
      headers: { ...headers, ...(session !== undefined && { "mcp-session-id": session }) },
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      ...(signal !== undefined && { signal }),
    });
  return {
    post,
    /** Opens a session. Returns its id, or the status of the refusal. */
    async open(): Promise<string> {
      const reply = await post(INITIALIZE);
      await reply.text();
      return reply.headers.get("mcp-session-id") ?? String(reply.status);
    },
    /** Listens on a separate stream. */
    listen: (session: string) => fetch(url, { headers: { ...headers, "mcp-session-id": session } }),
    async exists(session: string): Promise<boolean> {
      const reply = await post({ id: 9, method: "tools/list" }, session);
      await reply.text();
      return reply.ok;
    },
  };
}

test("one user can have a tenth of the sessions with all their clients, and others can still open theirs", async () => {
  const { url } = await serveAgent(asksForCity, { surface: { maxSessions: 20 } });
  const opened: string[] = [];
  for (const token of ["ada", "ada@one", "ada@two", "ada@three"]) {
    const ada = sending(url, token);
    const session = await ada.open();
    opened.push(session);
    if (session !== "429") await ada.listen(session);
  }
  expect(opened.slice(2)).toEqual(["429", "429"]);
  expect(await sending(url, "bob").open()).toHaveLength(43);
});

test("a user who keeps opening sessions loses only their own", async () => {
  const { url } = await serveAgent(asksForCity, { surface: { maxSessions: 20 } });
  const [ada, bob] = [sending(url, "ada"), sending(url, "bob")];
  const bobs = await bob.open();
  const first = await ada.open();
  for (let count = 0; count < 30; count += 1) expect(await ada.open()).toHaveLength(43);
  expect([await ada.exists(first), await bob.exists(bobs)]).toEqual([false, true]);
});

test("a server with tools that ask also gives each user a tenth of its sessions", async () => {
  const { url } = await serveTools(
    (server) => server.registerTool("hi", { inputSchema: z.object({}) }, async () => ({ content: [] })),
    { maxSessions: 20 },
  );
  const [ada, bob] = [sending(url, "ada"), sending(url, "bob")];
  const bobs = await bob.open();
  for (let count = 0; count < 30; count += 1) await ada.open();
  expect(await bob.exists(bobs)).toBe(true);
});

test("a session whose stream has broken is kept only while its call runs", async () => {
  let outcome: unknown;
  const run = asks(async (elicitor) => {
    outcome = "asked";
    outcome = await elicitor.text("Where to?");
  });
  const { url } = await serveAgent(run, { surface: { maxSessions: 20 } });
  const ada = sending(url, "ada");
  const session = await ada.open();
  await ada.post({ method: "notifications/initialized" }, session);
  const broken = new AbortController();
  await ada.post({ id: 2, method: "tools/call", params: ASK }, session, broken.signal);
  await expect.poll(() => outcome).toBe("asked");
  broken.abort();
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (let count = 0; count < 5; count += 1) await ada.open();
  expect(outcome).toBe("asked");
  expect(await ada.exists(session)).toBe(true);
  const cancelled = { method: "notifications/cancelled", params: { requestId: 2 } };
  await ada.post(cancelled, session);
  await expect.poll(() => outcome).toMatchObject({ outcome: "withdrawn" });
  for (let count = 0; count < 5; count += 1) await ada.open();
  expect(await ada.exists(session)).toBe(false);
});

test("callers that open sessions at the same moment get no more than the limit", async () => {
  const { url } = await serveAgent(asksForCity, { surface: { maxSessions: 20 } });
  const ada = sending(url, "ada");
  const opened = await Promise.all(Array.from({ length: 40 }, () => ada.open()));
  const existing = await Promise.all(opened.filter((id) => id.length === 43).map(ada.exists));
  expect(existing.filter(Boolean)).toHaveLength(2);
});
