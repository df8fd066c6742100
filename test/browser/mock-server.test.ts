import { conformanceCases, runCase } from "elicit-kit/conformance";
import { createMockServer, type Fault } from "elicit-kit/mock-server";
import { setupWorker } from "msw/browser";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { contractAgent } from "../contract/contract-agent.ts";
import { completionsHook, contractHooks, outsideHooks, tagsOf } from "../contract/contract-options.ts";
import { patience } from "../patience.ts";

const server = createMockServer(contractAgent);
const worker = setupWorker(...server.handlers);
beforeAll(() => worker.start({ quiet: true, onUnhandledFrame: "bypass" }));
afterAll(async () => {
  await worker.stop();
  await server.close();
});

const api = `${location.origin}/run/api`;
const chatHeaders = {
  "content-type": "application/json",
  "x-supports-elicitation": "true",
  authorization: "Bearer anna",
};
const chat = (conversationId: string, signal?: AbortSignal) =>
  fetch(`${api}/chat`, {
    method: "POST",
    headers: chatHeaders,
    body: JSON.stringify({
      conversationId,
      messages: [{ role: "user", parts: [{ type: "text", text: "Create an issue." }] }],
    }),
    ...(signal && { signal }),
  });

/** Resolves when the stream of the next run is cancelled at its source, in the page. */
function watchSource(): Promise<unknown> {
  return new Promise((cancelled) => {
    const watched: Fault = {
      on: "chat",
      times: 1,
      async apply(request, next) {
        const response = await next(request);
        const reader = response.body!.getReader();
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          },
          async cancel(reason) {
            await reader.cancel(reason);
            cancelled("cancelled");
          },
        });
        return new Response(body, response);
      },
    };
    server.inject(watched);
  });
}

function read(response: Response): ReadableStreamDefaultReader<string> {
  return response.body!.pipeThrough(new TextDecoderStream()).getReader();
}

async function readUntil(reader: ReadableStreamDefaultReader<string>, text: string): Promise<string> {
  let all = "";
  while (!all.includes(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    all += value;
  }
  return all;
}

/** Rules that a page cannot check: it cannot set its origin, and the worker sees none. */
const ONLY_IN_NODE = new Set([
  "browsers/foreign-origin",
  "browsers/allowed-origin",
  "browsers/preflight",
  "browsers/precedence",
]);

describe("the mock server in a service worker", () => {
  for (const testCase of conformanceCases) {
    const { id, rule } = testCase;
    it(`${id}: ${rule}`, { tags: tagsOf(id) }, async () => {
      const hooks = { ...contractHooks, ...completionsHook(location.origin), ...outsideHooks(server) };
      const result = await runCase(testCase, { api, hooks, patienceMs: patience.expect.poll.timeout });
      const detail = "a browser sends its own Origin header: run this case in Node";
      expect(result).toEqual(
        ONLY_IN_NODE.has(id) ? { id, rule, status: "not-checked", detail } : { id, rule, status: "passed" },
      );
    });
  }
});

describe("a stream through a service worker", () => {
  afterEach(() => Promise.all(server.pending().map((open) => server.withdraw(open.elicitationId))));

  it("pauses while the user is asked, and continues in the same response", async () => {
    const response = await chat("pause");
    const reader = read(response);
    expect(await readUntil(reader, "data-elicitation-request")).not.toContain("resolution");
    // The stream sends comments during silence, so it is alive and unbuffered.
    expect(await readUntil(reader, ": keep-alive")).not.toContain("text-delta");
    await server.completeOutside();
    expect(await readUntil(reader, "[DONE]")).toContain("accepted.");
  });

  it("rejects its reader when the chat aborts, and is cancelled in the mock server", async () => {
    const cancelled = watchSource();
    const abort = new AbortController();
    const response = await chat("abort", abort.signal);
    const reader = read(response);
    await readUntil(reader, "data-elicitation-request");
    abort.abort();
    await expect(reader.read().then(() => readUntil(reader, "[DONE]"))).rejects.toThrow(/abort/i);
    expect(await cancelled).toBe("cancelled");
    expect(server.pending()).toHaveLength(1);
  });

  it("is cancelled in the mock server when its reader leaves", async () => {
    const cancelled = watchSource();
    const response = await chat("cancel");
    await response.body!.cancel();
    expect(await cancelled).toBe("cancelled");
  });

  it("can be read again from its start after it broke off", async () => {
    const abort = new AbortController();
    const response = await chat("again", abort.signal);
    await readUntil(
      response.body!.pipeThrough(new TextDecoderStream()).getReader(),
      "data-elicitation-request",
    );
    abort.abort();
    const second = await fetch(`${api}/chat/again/stream`, { headers: chatHeaders });
    const reader = read(second);
    expect(await readUntil(reader, "data-elicitation-request")).toContain('"type":"start"');
    await server.completeOutside();
    expect(await readUntil(reader, "[DONE]")).toContain("accepted.");
  });
});
