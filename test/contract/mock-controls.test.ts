import { HttpResponse, http } from "msw";
import {
  askForm,
  askToConnect,
  call,
  createMockFetch,
  createMockServer,
  say,
  together,
} from "elicit-kit/mock-server";
import { describe, expect, it, vi } from "vitest";
import { chatOn } from "./mock-chat.ts";

const script = [
  call("tracker.create_issue", { title: "Login fails" }, ({ outcome }) => ({ outcome })),
  askToConnect({ service: "Tracker" }),
  say(({ outcome }) => `It is ${outcome}.`),
];

async function asked() {
  const server = createMockServer({ script });
  const world = chatOn(server);
  const turn = world.chat.sendMessage({ text: "Go on." });
  const [item] = await world.asked();
  return { ...world, server, turn, id: item!.id };
}

describe("the controls of a mock server", () => {
  it.each([
    ["completeOutside", "accepted"],
    ["declineOutside", "declined"],
    ["expire", "expired"],
    ["withdraw", "withdrawn"],
  ] as const)("%s ends the only open request as %s, and the agent continues", async (control, outcome) => {
    const { server, turn, items, said } = await asked();
    await server[control]();
    await turn;
    expect(server.pending()).toEqual([]);
    expect(items()[0]!.status).toBe(outcome);
    expect(said()).toBe(`It is ${outcome}.`);
  });

  it("failOutside leaves the request open, and the card shows the provider's reason", async () => {
    const { server, turn, items } = await asked();
    await server.failOutside("No such account.");
    await expect.poll(() => items()[0]!.request.progress?.lastError).toBe("No such account.");
    expect(server.pending()).toHaveLength(1);
    await server.completeOutside();
    await turn;
  });

  it("advance moves the clock past the expiry of a request", async () => {
    const { server, turn, items } = await asked();
    await server.advance(599_000);
    expect(server.pending()).toHaveLength(1);
    await server.advance(1_000);
    await turn;
    expect(items()[0]!.status).toBe("expired");
  });

  it("received lists every answer, including refused ones", async () => {
    const { server, turn, elicit, id, chat } = await asked();
    await elicit.decline(id);
    await turn;
    const body = { conversationId: chat.id, elicitationId: id, action: "cancel" };
    const late = await server.fetch("http://mock.test/run/api/elicitation-responses", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(late.status).toBe(409);
    expect(server.received()).toEqual([
      { conversationId: chat.id, elicitationId: id, action: "decline" },
      body,
    ]);
  });

  it("a control fails when no request is open, or when several are open and none is named", async () => {
    const server = createMockServer({
      script: [
        together(
          askToConnect({ service: "Calendar" }),
          askForm({ message: "Where to?", properties: { city: { type: "string" } } }),
        ),
      ],
    });
    await expect(server.expire()).rejects.toThrow("exactly one request must be open, none is open.");
    const world = chatOn(server);
    const turn = world.chat.sendMessage({ text: "Go on." });
    const [calendar, form] = await world.asked(2);
    await expect(server.completeOutside()).rejects.toThrow(`open are: ${calendar!.id}, ${form!.id}.`);
    await expect(server.completeOutside("another")).rejects.toThrow("the request another is not open");
    await server.completeOutside(calendar!.id);
    await server.withdraw(form!.id);
    await turn;
    expect(world.items().map(({ status }) => status)).toEqual(["accepted", "withdrawn"]);
  });

  it("close ends all open turns and streams", async () => {
    const { server, turn, items } = await asked();
    await server.close();
    await turn;
    expect(items()[0]!.status).toBe("withdrawn");
  });
});

describe("a mock server", () => {
  it("derives the result of a tool from the outcome of its request", async () => {
    const { server, turn, outputs } = await asked();
    await server.completeOutside();
    await turn;
    expect(outputs()).toEqual([{ outcome: "accepted" }]);
  });

  it("reports a script that reads an answer before it has asked", async () => {
    const errors: unknown[] = [];
    const server = createMockServer({ script: [say((r) => r.outcome)], onError: (e) => errors.push(e) });
    await chatOn(server).chat.sendMessage({ text: "Go on." });
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^elicit-kit: .+ Put an askToConnect or/) }),
    ]);
  });

  it("identifies users with the function of the test, and hides a user's requests from others", async () => {
    const server = createMockServer({
      script,
      authenticate: ({ headers }) => ({ id: headers.get("x-test-user") ?? "anna" }),
    });
    const { chat, asked: seen, elicit } = chatOn(server);
    const turn = chat.sendMessage({ text: "Go on." });
    const [item] = await seen();
    const url = `http://mock.test/run/api/elicitations/${item!.id}`;
    expect((await server.fetch(url, { headers: { "x-test-user": "ben" } })).status).toBe(404);
    expect((await server.fetch(url)).status).toBe(200);
    await elicit.decline(item!.id);
    await turn;
  });

  it("serves its routes under another path", async () => {
    const server = createMockServer({ script, basePath: "/chat-server" });
    const list = (base: string) => server.fetch(`${base}/api/elicitations?conversationId=c`);
    expect((await list("/chat-server")).status).toBe(200);
    await expect(list("/run")).rejects.toThrow(
      "elicit-kit: no handler answers GET http://localhost/run/api/elicitations",
    );
  });
});

describe("createMockFetch", () => {
  it("uses other handlers in addition to the mock server's", async () => {
    const { handlers } = createMockServer({ script });
    const me = http.get("*/me", () => HttpResponse.json({ name: "Sam" }));
    const fetch = createMockFetch([me, ...handlers]);
    expect(await (await fetch("/me")).json()).toEqual({ name: "Sam" });
    expect((await fetch("/run/api/elicitations?conversationId=c")).status).toBe(200);
  });

  it("rejects as soon as it is aborted, even when the handler has not replied", async () => {
    const fetch = createMockFetch([http.get("*/slow", () => new Promise(() => {}))]);
    const abort = new AbortController();
    const slow = fetch("/slow", { signal: abort.signal });
    abort.abort(new Error("I changed my mind."));
    await expect(slow).rejects.toThrow("I changed my mind.");
    await expect(fetch("/slow", { signal: abort.signal })).rejects.toThrow("I changed my mind.");
  });

  it("ends a stream that is aborted while it waits, and notifies its source", async () => {
    const cancelled = vi.fn<(reason: unknown) => void>();
    const body = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => {}),
      cancel: (reason) => cancelled(reason),
    });
    const fetch = createMockFetch([http.get("*/stream", () => new Response(body))]);
    const abort = new AbortController();
    const response = await fetch("/stream", { signal: abort.signal });
    const text = response.text();
    abort.abort(new Error("Enough."));
    await expect(text).rejects.toThrow("Enough.");
    expect(cancelled).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "Enough." }));
  });
});
