import type { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { expect, test, vi } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { chatWith } from "./chat.ts";
import { answering, serveV1 } from "./servers.ts";

const NAME = {
  type: "object" as const,
  properties: { name: { type: "string" as const, title: "Name" } },
  required: ["name"],
};

interface Asked {
  outcome?: unknown;
  signal?: AbortSignal;
  cancel?: () => void;
}

/** A tool that asks, and keeps the result. */
function asking(asked: Asked): (server: McpServerV1) => void {
  return (server) => {
    server.registerTool("ask", {}, async (extra) => {
      const cancelled = new AbortController();
      asked.signal = extra.signal;
      asked.cancel = () => cancelled.abort("no longer needed");
      const result = await server.server
        .elicitInput(
          { message: "Who?", requestedSchema: NAME },
          { relatedRequestId: extra.requestId, signal: cancelled.signal, timeout: 3_600_000 },
        )
        .catch((error: unknown) => String(error));
      asked.outcome = result;
      return { content: [{ type: "text", text: JSON.stringify(result) }] };
    });
  };
}

const ASK = [{ srv_ask: {} }, "Done."];

test("a call may wait nine minutes for the user, but not one minute for a silent server", async () => {
  const asked: Asked = {};
  const { url } = await serveV1(asking(asked));
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  await stream.request();
  chat.runtime.clock.advance(540_000);
  await chat.answer(stream, "accept", { name: "Ada" });
  await stream.done;
  expect(chat.results()).toContain("Ada");

  let calls = 0;
  const silent = await answering(() => {
    calls += 1;
    return new Promise(() => {});
  });
  const other = chatWith(silent.url, ASK);
  const waiting = await other.send();
  await expect.poll(() => calls).toBe(1);
  other.runtime.clock.advance(59_000);
  expect(other.results()).toBe("[]");
  other.runtime.clock.advance(1_000);
  await waiting.done;
  expect(other.results()).toContain("did not answer within 60 seconds");
});

test("progress keeps a call alive beyond a minute", async () => {
  let work = async (): Promise<void> => {};
  let finish = (): void => {};
  let isWorking = false;
  const { url } = await serveV1((server) => {
    server.registerTool("ask", {}, async ({ _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken ?? "none";
      let progress = 0;
      work = () =>
        sendNotification({
          method: "notifications/progress",
          params: { progressToken, progress: (progress += 1) },
        });
      isWorking = true;
      await new Promise<void>((resolve) => (finish = resolve));
      return { content: [{ type: "text", text: "worked" }] };
    });
  });
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  await expect.poll(() => isWorking).toBe(true);
  for (let minute = 0; minute < 3; minute += 1) {
    chat.runtime.clock.advance(50_000);
    const timersSet = vi.spyOn(chat.runtime.clock, "after");
    await work();
    // Data on a socket arrives a little later, and the minute begins again.
    await expect.poll(() => timersSet.mock.calls.length).toBeGreaterThan(0);
    timersSet.mockRestore();
  }
  finish();
  await stream.done;
  expect(chat.results()).toContain("worked");
});

test("a request that the server cancels is withdrawn", async () => {
  const asked: Asked = {};
  const { url } = await serveV1(asking(asked));
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  const { elicitationId } = await stream.request();
  asked.cancel?.();
  await expect
    .poll(async () => (await chat.runtime.elicitations.get(elicitationId))?.status)
    .toBe("withdrawn");
  await stream.done;
});

test("a card is withdrawn after its server crashes, and the turn continues", async () => {
  const { url, crash } = await serveV1(asking({}));
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  const { elicitationId } = await stream.request();
  await crash();
  await expect
    .poll(async () => (await chat.runtime.elicitations.get(elicitationId))?.status)
    .toBe("withdrawn");
  await stream.done;
  expect(chat.results()).toContain("connection to Survey was lost");
});

test("stopping the turn cancels the call at the server and withdraws the card", async () => {
  const asked: Asked = {};
  const { url, received } = await serveV1(asking(asked));
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  const { elicitationId } = await stream.request();
  expect((await chat.ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  await stream.done;
  expect((await chat.runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  await expect.poll(() => asked.signal?.aborted).toBe(true);
  expect(received.map(({ method }) => method)).toContain("notifications/cancelled");
});

test("stopping the turn closes the stream of a 2026 server's call", async () => {
  let closed = false;
  let calls = 0;
  const { url } = await answering(() => {
    calls += 1;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(": waiting\n\n")),
      cancel() {
        closed = true;
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  await expect.poll(() => calls).toBe(1);
  await chat.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await stream.done;
  await expect.poll(() => closed).toBe(true);
});

test("a form that is still open when its call returns is withdrawn before the result is shown", async () => {
  const seen = createDeferred<void>();
  const { url } = await serveV1((server) => {
    server.registerTool("ask", {}, async (extra) => {
      void server.server
        .elicitInput({ message: "Who?", requestedSchema: NAME }, { relatedRequestId: extra.requestId })
        .catch(() => {});
      await seen.promise;
      return { content: [{ type: "text", text: "never mind" }] };
    });
  });
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  await stream.request();
  seen.resolve();
  await stream.done;
  expect(chat.results()).toContain("never mind");
  const types = stream.chunks.map((chunk) =>
    JSON.stringify(chunk).includes('"withdrawn"') ? "withdrawn" : chunk["type"],
  );
  expect(types.indexOf("withdrawn")).toBeGreaterThan(-1);
  expect(types.indexOf("withdrawn")).toBeLessThan(types.indexOf("tool-output-available"));
});
