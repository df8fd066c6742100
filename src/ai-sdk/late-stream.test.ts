import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const CODE = "./stream.ts";
const server = { isDown: false, loads: 0 };
const stream = () =>
  new Response('data: {"type":"start","messageId":"m1"}\n\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n', {
    headers: { "content-type": "text/event-stream" },
  });

beforeEach(() => {
  server.isDown = false;
  server.loads = 0;
  vi.resetModules();
  vi.doMock(CODE, async (load) => {
    server.loads += 1;
    if (server.isDown) throw new TypeError("Failed to fetch dynamically imported module");
    return load();
  });
});
afterEach(() => {
  vi.doUnmock(CODE);
});

/** The transport of a page that has loaded only what every page loads. */
async function firstLoad(reply: () => Response = stream) {
  const { createElicitation } = await import("./create-elicitation.ts");
  const calls: unknown[] = [];
  const elicitation = createElicitation({
    fetch: async (input) => {
      calls.push(input);
      return reply();
    },
  });
  const send = () =>
    elicitation
      .createTransport()
      .sendMessages<{ type: string }>({ chatId: "c1", trigger: "submit-message", messages: [] });
  return { calls, elicitation, send };
}

async function typesOf(chunks: ReadableStream<{ type: string }>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of chunks) types.push(type);
  return types;
}

describe("a chat page that has read no stream yet", () => {
  it("loads the code that reads streams with its first message, and reads the whole reply", async () => {
    const { send } = await firstLoad();
    expect(server.loads).toBe(0);
    expect(await typesOf(await send())).toEqual(["start", "finish"]);
    expect(server.loads).toBe(1);
  });

  it("shows the refusal of the server", async () => {
    const problem = { title: "Refused", status: 403, detail: "Sign in first." };
    const { send } = await firstLoad(() =>
      Response.json(problem, { status: 403, headers: { "content-type": "application/problem+json" } }),
    );
    await expect(send()).rejects.toThrow("Sign in first.");
  });

  it("shows an error if that code cannot be loaded, and sends the next message as usual", async () => {
    const { calls, send } = await firstLoad();
    server.isDown = true;
    await expect(send()).rejects.toThrow(
      "elicit-kit: the code that reads the agent's reply could not be loaded",
    );
    server.isDown = false;
    expect(await typesOf(await send())).toEqual(["start", "finish"]);
    expect(calls).toHaveLength(2);
  });

  it("reads no stream of a chat without an open turn, although the code is missing", async () => {
    const { elicitation } = await firstLoad(() => new Response(null, { status: 204 }));
    server.isDown = true;
    expect(await elicitation.createTransport().reconnectToStream({ chatId: "c1" })).toBeNull();
  });
});
