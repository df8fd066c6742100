import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  type McpServer,
  UrlElicitationRequiredError,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import { FakeBrowser } from "../../../src/client/popup/testing/fake-browser.ts";
import { type ElicitationItem, createElicitationClient } from "../../../src/client/index.ts";
import { McpCallError, createMcpChannel } from "../../../src/mcp/page/index.ts";
import type { McpChannelOptions } from "../../../src/mcp/page/channel.ts";
import { type Eliciting, type ToolElicitor, elicitorFor } from "../../../extras/mcp-server/index.ts";
import type { Era } from "./clients.ts";
import { serveTools } from "./tools.ts";

const ERAS: readonly Era[] = ["2025-06-18", "2025-11-25", "2026-07-28"];
const PAGES: readonly Era[] = ["2025-11-25", "2026-07-28"];

const tool =
  (run: (elicitor: ToolElicitor) => Promise<unknown>) => (server: McpServer, eliciting: Eliciting) => {
    server.registerTool(
      "ask",
      { inputSchema: z.object({}) },
      eliciting("ask", async (_, ctx) => ({
        content: [{ type: "text", text: JSON.stringify(await run(elicitorFor(ctx))) }],
      })),
    );
  };

/** A page that is a client of the server, without its cards. */
async function openPage(
  url: string,
  era: Era,
  { capabilities, ...options }: Partial<McpChannelOptions> & { capabilities?: ClientCapabilities } = {},
) {
  const client = new Client(
    { name: "page", version: "1" },
    {
      ...(capabilities !== undefined && { capabilities }),
      ...(era === "2026-07-28"
        ? { versionNegotiation: { mode: { pin: "2026-07-28" } } }
        : { supportedProtocolVersions: [era] }),
    },
  );
  const channel = createMcpChannel({ client, serverName: "Planner", ...options });
  const elicitations = createElicitationClient({
    channel,
    storage: null,
    popupEnvironment: new FakeBrowser(),
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(async () => {
    elicitations.dispose();
    await client.close();
  });
  const items = () => [...elicitations.getSnapshot().items];
  async function item(is: (item: ElicitationItem) => boolean = () => true): Promise<ElicitationItem> {
    await expect.poll(() => items().some(is)).toBe(true);
    const found = items().find(is);
    if (found === undefined) throw new Error("no item");
    return found;
  }
  const textOf = (result: { content: unknown[] }) => JSON.parse((result.content[0] as { text: string }).text);
  const call = async (more = {}) => textOf(await channel.callTool({ name: "ask", arguments: {} }, more));
  return { client, channel, elicitations, items, item, call, textOf };
}

describe.each(ERAS)("a page with MCP %s", (era) => {
  test("shows a form as a card of its call, and the tool gets the content", async () => {
    const { url } = await serveTools(tool((elicitor) => elicitor.text("Where to?", { minLength: 2 })));
    const page = await openPage(url, era);
    const result = page.call({ conversationId: "c1", toolCallId: "call-1" });
    const { id, request, conversationId } = await page.item();
    expect(conversationId).toBe("c1");
    expect(request).toMatchObject({
      mode: "form",
      message: "Where to?",
      toolCallId: "call-1",
      requester: { name: "Planner", claimedName: "tools" },
    });
    await page.elicitations.accept(id, { answer: "O" });
    expect(await page.item()).toMatchObject({
      status: "pending",
      fieldErrors: { answer: { code: "too-short" } },
    });
    await page.elicitations.accept(id, { answer: "Oslo" });
    expect(await result).toEqual({ outcome: "accepted", value: "Oslo" });
    expect(page.items().map(({ status }) => status)).toEqual(["accepted"]);
  });
});

// The page gets the questions of MCP 2025-06-18 in its session, like those of 2025-11-25.
describe.each(PAGES)("a page with MCP %s", (era) => {
  test.each(["decline", "cancel"] as const)("passes a %s on to the server", async (action) => {
    const { url } = await serveTools(tool((elicitor) => elicitor.text("Where to?")));
    const page = await openPage(url, era);
    const result = page.call();
    await page.elicitations[action]((await page.item()).id);
    expect((await result).outcome).toBe(action === "decline" ? "declined" : "cancelled");
  });

  test("also shows requests of calls that it makes with the SDK's own callTool", async () => {
    const { url } = await serveTools(tool((elicitor) => elicitor.text("Where to?")));
    const page = await openPage(url, era);
    const result = page.client.callTool({ name: "ask", arguments: {} });
    await page.elicitations.accept((await page.item()).id, { answer: "Oslo" });
    expect(page.textOf(await result)).toMatchObject({ value: "Oslo" });
  });

  test("withdraws its cards when the call is aborted", async () => {
    const { url } = await serveTools(tool((elicitor) => elicitor.text("Where to?")));
    const page = await openPage(url, era);
    const abort = new AbortController();
    const result = page.call({ signal: abort.signal }).catch((error: unknown) => error);
    await page.item();
    abort.abort();
    await expect.poll(() => page.items().map(({ status }) => status)).toEqual(["withdrawn"]);
    expect(await result).toBeInstanceOf(Error);
  });

  test("withdraws its cards when the connection is closed", async () => {
    const { url } = await serveTools(tool((elicitor) => elicitor.text("Where to?")));
    const page = await openPage(url, era);
    const result = page.call().catch((error: unknown) => error);
    await page.item();
    await page.client.close();
    await expect.poll(() => page.items().map(({ status }) => status)).toEqual(["withdrawn"]);
    expect(await result).toBeInstanceOf(Error);
  });
});

describe("parallel questions", () => {
  test("are one round in MCP 2026-07-28: no answer is sent until both are there", async () => {
    const { url } = await serveTools(
      tool((elicitor) => Promise.all([elicitor.text("First?"), elicitor.text("Second?")])),
    );
    const page = await openPage(url, "2026-07-28");
    const result = page.call();
    const first = await page.item(({ request }) => request.message === "First?");
    const second = await page.item(({ request }) => request.message === "Second?");
    expect(first.request.round).toEqual({ id: expect.any(String), size: 2 });
    await page.elicitations.accept(first.id, { answer: "1" });
    expect((await page.item(({ id }) => id === first.id)).status).toBe("answered");
    await page.elicitations.accept(second.id, { answer: "2" });
    expect(await result).toEqual([
      { outcome: "accepted", value: "1" },
      { outcome: "accepted", value: "2" },
    ]);
  });
});

describe.each(PAGES)("a web page that the server needs (%s)", (era) => {
  test("has a card until the page is complete, and ends with its call", async () => {
    let isDone = false;
    const { url } = await serveTools(
      tool((elicitor) =>
        elicitor.url("Pay", { url: "https://pay.example.com/1", service: "Pay", purpose: "pay" }),
      ),
      { isCompleted: () => isDone },
    );
    const page = await openPage(url, era);
    const result = page.call();
    const { id, request } = await page.item();
    expect(request).toMatchObject({ mode: "url", url: "https://pay.example.com/1", acceptMeans: "consent" });
    void page.elicitations.connect(id);
    await expect.poll(async () => (await page.item()).request.progress?.status).toBe("consented");
    isDone = true;
    expect(await result).toEqual({ outcome: "accepted" });
    expect(page.items().map(({ status }) => status)).toEqual(["accepted"]);
  });
});

test("a URL request counts as completed when the tool does not repeat it in its next round, and the call continues", async () => {
  const room = inputRequired.elicitUrl({ message: "Reserve", url: "https://venue.example.com/1" });
  const sure = inputRequired.elicit({
    message: "Sure?",
    requestedSchema: { type: "object", properties: {} },
  });
  let isReserved = false;
  const { url } = await serveTools(
    (server) => {
      server.registerTool("ask", {}, ({ mcpReq: { inputResponses } }) => {
        if (inputResponse(inputResponses, "sure").kind === "elicit") {
          return { content: [{ type: "text", text: '"planned"' }] };
        }
        return inputRequired({ inputRequests: isReserved ? { sure } : { room } });
      });
    },
    { withoutHook: true },
  );
  const page = await openPage(url, "2026-07-28");
  const result = page.call();
  const { id } = await page.item();
  void page.elicitations.connect(id);
  await expect.poll(async () => (await page.item()).request.progress?.status).toBe("consented");
  isReserved = true;
  await page.elicitations.accept(id);
  const form = await page.item(({ request }) => request.mode === "form");
  expect(await page.item()).toMatchObject({ id, status: "accepted" });
  await page.elicitations.accept(form.id);
  expect(await result).toBe("planned");
});

test.each(PAGES)(
  "when the user finishes a page before a server of %s asks for it again, the server learns that at once",
  async (era) => {
    const room = { message: "Reserve", url: "https://venue.example.com/1" };
    let repeat: (() => void) | undefined;
    const untilPressed = () =>
      new Promise<void>((resolve) => {
        repeat = resolve;
      });
    const planned = { content: [{ type: "text" as const, text: '"planned"' }] };
    let calls = 0;
    const { url } = await serveTools(
      (server) => {
        server.registerTool("ask", {}, async ({ mcpReq }) => {
          calls += 1;
          if (era === "2025-11-25") {
            await mcpReq.elicitInput({ mode: "url", elicitationId: "room-1", ...room });
            await untilPressed();
            await mcpReq.elicitInput({ mode: "url", elicitationId: "room-2", ...room });
            return planned;
          }
          if (calls === 2) await untilPressed();
          return calls === 3
            ? planned
            : inputRequired({ inputRequests: { room: inputRequired.elicitUrl(room) } });
        });
      },
      { withoutHook: true },
    );
    // The clock stands still, so only the user's action repeats the call.
    const page = await openPage(url, era, { clock: createManualClock() });
    const result = page.call();
    const { id } = await page.item();
    void page.elicitations.connect(id);
    await expect.poll(() => repeat).toBeDefined();
    await page.elicitations.accept(id);
    repeat?.();
    expect(await result).toBe("planned");
  },
);

test("when a server of 2025-11-25 asks for an opened page again, the card stays until the server asks another question", async () => {
  let asks = 0;
  const { url } = await serveTools((server) => {
    server.registerTool("ask", {}, async ({ mcpReq }) => {
      while (asks < 2) {
        asks += 1;
        const room = { mode: "url", message: "Reserve", url: "https://venue.example.com/1" } as const;
        await mcpReq.elicitInput({ ...room, elicitationId: `room-${asks}` });
      }
      await mcpReq.elicitInput({ message: "Sure?", requestedSchema: { type: "object", properties: {} } });
      return { content: [{ type: "text", text: '"planned"' }] };
    });
  });
  const page = await openPage(url, "2025-11-25");
  const result = page.call();
  const { id } = await page.item();
  void page.elicitations.connect(id);
  await expect.poll(() => asks).toBe(2);
  await page.elicitations.accept(id);
  const form = await page.item(({ request }) => request.mode === "form");
  expect(page.items().map(({ status }) => status)).toEqual(["accepted", "pending"]);
  await page.elicitations.accept(form.id);
  expect(await result).toBe("planned");
});

test.each(["before", "after"] as const)(
  "if a server of 2025-11-25 never reports the end of a page, the page ends when the user has finished, %s another question",
  async (when) => {
    let goOn: (() => void) | undefined;
    const { url } = await serveTools((server) => {
      server.registerTool("ask", {}, async ({ mcpReq }) => {
        const room = { mode: "url", message: "Reserve", url: "https://venue.example.com/1" } as const;
        await mcpReq.elicitInput({ ...room, elicitationId: "room" });
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await mcpReq.elicitInput({ message: "Sure?", requestedSchema: { type: "object", properties: {} } });
        return { content: [{ type: "text", text: '"planned"' }] };
      });
    });
    const page = await openPage(url, "2025-11-25");
    const result = page.call();
    const { id } = await page.item();
    void page.elicitations.connect(id);
    await expect.poll(() => goOn).toBeDefined();
    const finish = () => page.elicitations.accept(id);
    if (when === "before") await finish();
    const progress = async () => (await page.item()).request.progress?.status;
    await expect.poll(progress).toBe("consented");
    goOn?.();
    const form = await page.item(({ request }) => request.mode === "form");
    // The user may still need the page for the question.
    if (when === "after")
      expect(page.items().map(({ request }) => request.resolution)).toEqual([undefined, undefined]);
    if (when === "after") await finish();
    await expect.poll(() => page.items().map(({ status }) => status)).toEqual(["accepted", "pending"]);
    await page.elicitations.accept(form.id);
    expect(await result).toBe("planned");
  },
);

test("a question of one call does not end the page of another call", async () => {
  let goOn: (() => void) | undefined;
  let asks = 0;
  const { url } = await serveTools((server) => {
    server.registerTool("ask", {}, async ({ mcpReq }) => {
      for (; asks < 2; asks += 1) {
        const room = { mode: "url", message: "Reserve", url: "https://venue.example.com/1" } as const;
        await mcpReq.elicitInput({ ...room, elicitationId: `room-${asks}` });
      }
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return { content: [{ type: "text", text: '"planned"' }] };
    });
    server.registerTool("other", {}, async ({ mcpReq }) => {
      await mcpReq.elicitInput({ message: "Sure?", requestedSchema: { type: "object", properties: {} } });
      return { content: [{ type: "text", text: '"other"' }] };
    });
  });
  const page = await openPage(url, "2025-11-25");
  const result = page.call();
  const { id } = await page.item();
  void page.elicitations.connect(id);
  await expect.poll(() => asks).toBe(1);
  await page.elicitations.accept(id);
  await expect.poll(() => goOn).toBeDefined();
  const other = page.channel.callTool({ name: "other", arguments: {} });
  const form = await page.item(({ request }) => request.mode === "form");
  expect(page.items().find((item) => item.id === id)?.request.resolution).toBeUndefined();
  await page.elicitations.accept(form.id);
  expect(page.textOf(await other)).toBe("other");
  goOn?.();
  expect(await result).toBe("planned");
});

test.each(["decline", "cancel"] as const)(
  "when the user opens a page of a round and then answers with %s, the server gets that answer",
  async (action) => {
    const pay = inputRequired.elicitUrl({ message: "Pay", url: "https://pay.example.com/1" });
    const { url } = await serveTools(
      (server) => {
        server.registerTool("ask", {}, ({ mcpReq }) => {
          const answer = inputResponse(mcpReq.inputResponses, "page");
          if (answer.kind === "elicit" && answer.action !== "accept") {
            return { content: [{ type: "text", text: JSON.stringify(answer.action) }] };
          }
          return inputRequired({ inputRequests: { page: pay } });
        });
      },
      { withoutHook: true },
    );
    const page = await openPage(url, "2026-07-28");
    const result = page.call();
    const { id } = await page.item();
    void page.elicitations.connect(id);
    await expect.poll(async () => (await page.item()).request.progress?.status).toBe("consented");
    await page.elicitations[action](id);
    expect(await result).toBe(action);
  },
);

/** A server whose tool first needs a page: error -32042. */
async function serveNeedingPage() {
  let calls = 0;
  const page = {
    mode: "url" as const,
    message: "Sign in",
    url: "https://login.example.com/",
    elicitationId: "s1",
  };
  return serveTools((server) => {
    server.registerTool("ask", {}, async () => {
      calls += 1;
      if (calls === 1) throw new UrlElicitationRequiredError([page]);
      return { content: [{ type: "text", text: '"done"' }] };
    });
  });
}

test("the pages of an error -32042 have cards, and the call is repeated when the pages are complete", async () => {
  const { url } = await serveNeedingPage();
  const opened = await openPage(url, "2025-11-25");
  const result = opened.call();
  const { id } = await opened.item();
  void opened.elicitations.connect(id);
  await expect.poll(async () => (await opened.item()).request.progress?.status).toBe("consented");
  await opened.elicitations.accept(id);
  expect(await result).toBe("done");
  expect(opened.items().map(({ status }) => status)).toEqual(["accepted"]);
});

describe("a failing call rejects with a code", () => {
  test.each([
    ["decline", "declined"],
    ["cancel", "cancelled"],
  ] as const)("when the user answers a page of an error -32042 with %s", async (action, code) => {
    const { url } = await serveNeedingPage();
    const page = await openPage(url, "2025-11-25");
    const failure = page.call().catch((error: unknown) => error);
    await page.elicitations[action]((await page.item()).id);
    expect(await failure).toBeInstanceOf(McpCallError);
    expect(await failure).toMatchObject({
      code,
      message: `elicit-kit: Planner needs a page, and the person has not opened it (${code}). Call the tool again when they want to.`,
    });
  });

  test.each([
    ["decline", "declined"],
    ["cancel", "cancelled"],
  ] as const)(
    "when the user opens a page of an error -32042, and then answers with %s",
    async (action, code) => {
      const { url } = await serveNeedingPage();
      const page = await openPage(url, "2025-11-25");
      const failure = page.call().catch((error: unknown) => error);
      const { id } = await page.item();
      void page.elicitations.connect(id);
      await expect.poll(async () => (await page.item()).request.progress?.status).toBe("consented");
      await page.elicitations[action](id);
      expect(await failure).toBeInstanceOf(McpCallError);
      expect(await failure).toMatchObject({ code });
    },
  );

  test("when the server sends a request other than elicitation", async () => {
    const sampling = inputRequired.createMessage({
      messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
      maxTokens: 9,
    });
    const { url } = await serveTools((server) => {
      server.registerTool("ask", {}, () => inputRequired({ inputRequests: { sampling } }));
    });
    const page = await openPage(url, "2026-07-28", { capabilities: { sampling: {} } });
    const failure = await page.call().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "McpCallError", code: "unsupported" });
  });

  test("when the server needs more than ten rounds", async () => {
    const { url } = await serveTools(
      (server) => {
        server.registerTool("ask", {}, () => inputRequired({ requestState: "again" }));
      },
      { withoutHook: true },
    );
    const page = await openPage(url, "2026-07-28", { clock: impatient });
    const failure = await page.call().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "McpCallError", code: "too-many-rounds" });
  });

  test("or with the reason of its abort, even while a page is open", async () => {
    const { url } = await serveNeedingPage();
    const page = await openPage(url, "2025-11-25");
    const abort = new AbortController();
    const failure = page.call({ signal: abort.signal }).catch((error: unknown) => error);
    await page.item();
    const reason = new Error("the chat was closed");
    abort.abort(reason);
    expect(await failure).toBe(reason);
  });
});

/** Does not wait for anything. */
const impatient = {
  now: () => Date.now(),
  after(_ms: number, listener: () => void) {
    queueMicrotask(listener);
    return () => {};
  },
};
