/**
 * Tests for the channel of the view with a real server, when the host's notifications about the call are late, repeated
 * or missing.
 */
import type { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { createElicitationClient } from "../../../src/client/index.ts";
import { createMcpAppChannel } from "../../../extras/mcp-app/index.ts";
import { type Eliciting, elicitorFor } from "../../../extras/mcp-server/index.ts";
import { createSkippingClock } from "../../stages/skipping-clock.ts";
import { serveApp, textOf } from "./host.ts";

const register = (server: McpServer, eliciting: Eliciting) => {
  server.registerTool(
    "book",
    { inputSchema: z.object({}) },
    eliciting("book", async (_, ctx) => {
      const who = await elicitorFor(ctx).text("Who?", { minLength: 2 });
      return { content: [{ type: "text", text: who.outcome === "accepted" ? who.value : who.outcome }] };
    }),
  );
};

async function open(book = register) {
  const clock = createSkippingClock();
  const host = await serveApp(book, { clock, expiresInMs: 60_000 }).host();
  const reports: unknown[] = [];

  /** A view of the host, with the client of its cards. */
  function view() {
    const channel = createMcpAppChannel({
      serverName: "Parcels",
      clock,
      host: {
        callTool: ({ name, arguments: args }) => host.call(name, args),
        report: async ({ content }) => void reports.push(content),
      },
    });
    const client = createElicitationClient({ channel, storage: null, clock });
    onTestFinished(() => {
      channel.close();
      client.dispose();
    });
    const items = () => client.getSnapshot().items;
    const shown = async () => {
      await expect.poll(items).toHaveLength(1);
      return items()[0]?.id ?? "";
    };
    return { channel, client, items, shown };
  }

  /** A call whose view appears too late. */
  async function handOver() {
    const called = host.call("book");
    const timers = clock.waiting;
    await expect.poll(() => clock.waiting).toBeGreaterThan(timers);
    clock.skip(8000);
    return called;
  }
  return { clock, host, reports, view, handOver };
}

describe("a view in a host with MCP Apps", () => {
  test("shows the question and sends the answer, although the host sends it no notification", async () => {
    const { host, view, reports } = await open();
    const call = host.call("book");
    const { client, shown, items } = view();
    await client.accept(await shown(), { answer: "Ada" });
    expect(textOf(await call)).toBe("Ada");
    expect(items()[0]?.status).toBe("accepted");
    expect(reports).toEqual([]);
  });

  test("keeps its question when the call is handed over while the user types, and then returns the result", async () => {
    const { clock, host, view, reports } = await open();
    const call = host.call("book");
    const { channel, client, shown, items } = view();
    const id = await shown();
    clock.skip(45_000);
    channel.toolResult(await call);
    expect(items()).toMatchObject([{ id, status: "pending" }]);
    await client.accept(id, { answer: "Ada" });
    await expect.poll(() => reports).toEqual([[{ type: "text", text: "Ada" }]]);
  });

  test("stays open when the tool works for minutes before it asks", async () => {
    const work = createDeferred<void>();
    const { clock, host, view } = await open((server, eliciting) => {
      server.registerTool(
        "book",
        { inputSchema: z.object({}) },
        eliciting("book", async (_, ctx) => {
          await elicitorFor(ctx).once("work", () => work.promise);
          const who = await elicitorFor(ctx).text("Who?");
          return { content: [{ type: "text", text: who.outcome }] };
        }),
      );
    });
    const called = host.call("book");
    const { channel, shown } = view();
    for (let polls = 0; polls < 6; polls += 1) {
      const timers = clock.waiting;
      clock.skip(20_000);
      await expect.poll(() => clock.waiting).toBeGreaterThanOrEqual(timers);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    work.resolve();
    channel.toolResult(await called);
    await shown();
  });

  test("shows the error at the field, and accepts the next answer", async () => {
    const { host, view } = await open();
    const call = host.call("book");
    const { client, shown, items } = view();
    const id = await shown();
    await client.accept(id, { answer: "A" });
    expect(items()).toMatchObject([{ fieldErrors: { answer: { code: "too-short" } } }]);
    await client.accept(id, { answer: "Ada" });
    expect(textOf(await call)).toBe("Ada");
  });

  test("withdraws its question when the host cancels the call", async () => {
    const { host, view } = await open();
    const abort = new AbortController();
    void host.call("book", {}, { signal: abort.signal });
    const { channel, shown, items } = view();
    await shown();
    abort.abort();
    channel.toolCancelled();
    expect(items()[0]?.status).toBe("withdrawn");
  });

  test("of an old conversation shows that the question has ended, without an error", async () => {
    const { clock, handOver, view } = await open();
    const result = await handOver();
    const first = view();
    first.channel.toolResult(result);
    await first.client.accept(await first.shown(), { answer: "Ada" });
    const again = view();
    again.channel.toolResult(result);
    await again.client.accept(await again.shown(), { answer: "Eve" });
    expect(again.items()[0]?.status).toBe("gone");
    clock.skip(60_000);
    const late = view();
    late.channel.toolResult(result);
    await late.shown();
    expect(late.items()[0]?.status).toBe("expired");
  });
});
