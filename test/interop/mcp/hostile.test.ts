import { expect, test } from "vitest";
import type { McpServer } from "../../../src/agent/index.ts";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { chatWith } from "./chat.ts";
import { type LegacyCall, type Received, answering, legacy } from "./servers.ts";

const ASK = [{ srv_ask: {} }, "Done."];
const form = (properties: unknown = { name: { type: "string" } }, message = "Who?") => ({
  message,
  requestedSchema: { type: "object", properties },
});
const page = (url: string, elicitationId = "e1") => ({ mode: "url", message: "Open", url, elicitationId });

/** A call during which the server asks once, and the result. */
async function asking(params: unknown, options: Partial<Omit<McpServer, "url">> = {}, method?: string) {
  let got: Received | undefined;
  const { url } = await legacy(async (call) => {
    got = await call.ask(params, method);
    call.result("over");
  });
  const chat = chatWith(url, ASK, options);
  return { ...chat, got: () => got };
}

test.each<[string, unknown, string]>([
  ["nested objects", form({ a: { type: "object", properties: {} } }), "cannot be shown"],
  [
    "1,001 options",
    form({ a: { type: "string", enum: Array.from({ length: 1001 }, (_, i) => `${i}`) } }),
    "1000",
  ],
  [
    "300 properties",
    form(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, { type: "string" }]))),
    "200",
  ],
  ["half a megabyte", form({ a: { type: "string", description: "x".repeat(500_000) } }), "too-large"],
  ["a nesting of 1,500", form({ a: { type: "array", items: nested(1500) } }), "cannot be shown"],
  ["no schema", { message: "?" }, "requestedSchema"],
  ["a message of a megabyte", form(undefined, "x".repeat(1_000_000)), "params.message"],
  ["a password", form({ password: { type: "string" } }), "Use elicitation mode url"],
  [
    "a message that asks for a password",
    form({ answer: { type: "string" } }, "To continue, enter your password."),
    "Use elicitation mode url",
  ],
  ["a hidden password", form({ a: { type: "string", format: "password" } }), "Use elicitation mode url"],
  ["another mode", { mode: "app", message: "?" }, "params.mode"],
  ["a URL that is none", page("nowhere"), "params.url"],
  ["a script as its URL", page("javascript:alert(1)"), "http or https"],
  ["data as its URL", page("data:text/html,x"), "http or https"],
  ["the URL of another program", page("vscode://file/etc/passwd"), "http or https"],
])(
  "a form with %s gets error -32602 with the reason, and the user is not asked",
  async (_, params, reason) => {
    const { send, got } = await asking(params);
    const stream = await send();
    await stream.done;
    expect(got()).toMatchObject({ error: { code: -32602, message: expect.stringContaining(reason) } });
    expect(got()?.error?.message.length).toBeLessThan(300);
    expect(stream.chunks.map(({ type }) => type)).not.toContain("data-elicitation-request");
  },
);

function nested(depth: number): unknown {
  let schema: unknown = { type: "string" };
  for (let level = 0; level < depth; level += 1) schema = { type: "array", items: schema };
  return schema;
}

test("a form that cannot be shown gets a card that says so if the operator configures that", async () => {
  const { send, answer, got } = await asking(form({ a: { type: "object" } }), { unanswerableForms: "show" });
  const stream = await send();
  expect(await stream.request()).toMatchObject({ mode: "form", message: "Who?" });
  await answer(stream, "decline");
  await stream.done;
  expect(got()).toMatchObject({ result: { action: "decline" } });
});

test.each(["https://good.example@evil.example/", "http://evil.example/"])(
  "the URL %s is blocked, and the server gets a decline even if a client accepts",
  async (url) => {
    const { send, answer, got } = await asking(page(url));
    const stream = await send();
    expect(await stream.request()).toMatchObject({ mode: "url", url, acceptMeans: "consent" });
    await answer(stream, "accept");
    await stream.done;
    expect(got()).toMatchObject({ result: { action: "decline" } });
  },
);

test("a request in a mode that the client did not declare gets -32602, as MCP 2025-11-25 requires", async () => {
  const { send, got } = await asking(page("https://idp.example.com"));
  const stream = await send("c1", { capabilities: { elicitation: { form: {} } } });
  await stream.done;
  expect(got()).toMatchObject({ error: { code: -32602, message: expect.stringContaining("mode url") } });
});

test.each(["sampling/createMessage", "roots/list", "constructor", "tasks/list"])(
  "a request for %s is refused as unknown",
  async (method) => {
    const { send, got } = await asking({}, {}, method);
    await (
      await send()
    ).done;
    expect(got()).toMatchObject({ error: { code: -32601 } });
  },
);

test("a thousand requests in one call get at most fifty cards, and every request gets an answer", async () => {
  let answers: Received[] = [];
  const { url } = await legacy(async (call) => {
    answers = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => call.ask(form(undefined, `Question ${i}`))),
    );
    call.result("over");
  });
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  await stream.request(49);
  const { elicitations } = await (await chat.ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(elicitations).toHaveLength(50);
  await chat.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await stream.done;
  const left = await (await chat.ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(left.elicitations).toEqual([]);
  expect(answers.filter(({ error }) => error?.code === -32600).length).toBeLessThanOrEqual(950);
  expect(chat.runtime.errors).toEqual([]);
});

test("a server that asks again after every answer is cut off after fifty questions", async () => {
  const codes: (number | undefined)[] = [];
  const { url } = await legacy(async (call) => {
    for (let asked = 0; asked < 52; asked += 1) codes.push((await call.ask(form())).error?.code);
    call.result("over");
  });
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  for (let asked = 0; asked < 50; asked += 1) {
    const { elicitationId } = await stream.request();
    await chat.ada.answer("c1", { elicitationId, action: "accept", content: {} });
    await expect.poll(() => codes.length).toBeGreaterThan(asked);
  }
  await stream.done;
  expect(codes.slice(0, 50).every((code) => code === undefined)).toBe(true);
  expect(codes.slice(50)).toEqual([-32600, -32600]);
});

test("a server that continues asking after every refusal ends its call", async () => {
  const refused = form({ password: { type: "string" } });
  let asked = 0;
  const { url } = await legacy(async (call) => {
    // Twenty at a time, because each needs an HTTP request.
    for (; asked < 5000; asked += 20) {
      await Promise.all(Array.from({ length: 20 }, () => call.ask(refused)));
    }
  });
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  await stream.done;
  expect(chat.results()).toContain("more than 1000 questions in one call");
  expect(asked).toBeLessThan(5000);
});

test("fifty-one questions in one round end the call, and the user is not asked", async () => {
  const who = { method: "elicitation/create", params: form() };
  const askingAtOnce = (count: number) => {
    const inputRequests = Object.fromEntries(Array.from({ length: count }, (_, key) => [`key-${key}`, who]));
    return answering(() => ({ resultType: "input_required", inputRequests }));
  };
  const chat = chatWith((await askingAtOnce(51)).url, ASK);
  const stream = await chat.send();
  await stream.done;
  expect(chat.results()).toContain("50 questions already");
  expect(stream.chunks.map(({ type }) => type)).not.toContain("data-elicitation-request");

  const allowed = chatWith((await askingAtOnce(50)).url, ASK);
  const open = await allowed.send();
  expect((await open.request(49)).round?.size).toBe(50);
  await allowed.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await open.done;
});

test("an error -32042 with eleven pages ends the call, and the user is not asked to open them", async () => {
  const elicitations = Array.from({ length: 11 }, (_, n) => page(`https://idp.example.com/${n}`, `e${n}`));
  const { url } = await legacy(({ callId, send }) =>
    send({ id: callId, error: { code: -32042, message: "Open these", data: { elicitations } } }),
  );
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  await stream.done;
  expect(chat.results()).toContain("it asks for 11 pages");
  expect(stream.chunks.map(({ type }) => type)).not.toContain("data-elicitation-request");
});

test("a completion for an unknown id or for another call's id is ignored", async () => {
  const calls: LegacyCall[] = [];
  const { url } = await legacy(async (call) => {
    const name = `e${calls.push(call)}`;
    await call.ask(page(`https://idp.example.com/${name}`, name));
  });
  const chat = chatWith(url, [{ srv_ask: {}, "srv_ask#2": {} }, "Done."]);
  const stream = await chat.send();
  const both = [await stream.request(0), await stream.request(1)];
  for (const { elicitationId } of both) await chat.ada.answer("c1", { elicitationId, action: "accept" });
  const complete = (call: LegacyCall | undefined, elicitationId: unknown) =>
    call?.send({ method: "notifications/elicitation/complete", params: { elicitationId } });
  for (const forged of ["e2", "e3", both[0]?.elicitationId, both[1]?.elicitationId, null, {}])
    complete(calls[0], forged);
  // The relay reads it after them.
  void calls[0]?.ask(form());
  const { elicitationId } = await stream.request(0, ({ mode }) => mode === "form");
  const status = async (index: number) =>
    (await chat.runtime.elicitations.get(both[index]?.elicitationId ?? ""))?.status;
  expect([await status(0), await status(1)]).toEqual(["consented", "consented"]);
  complete(calls[0], "e1");
  const first = both[0]?.url?.endsWith("e1") === true ? 0 : 1;
  await expect.poll(() => status(first)).toBe("accepted");
  expect(await status(1 - first)).toBe("consented");
  await chat.ada.answer("c1", { elicitationId, action: "decline" });
  for (const call of calls) call.result("over");
  await stream.done;
});

test("a request after the result of its call is not shown", async () => {
  const { url } = await legacy((call) => {
    call.result("over");
    for (let late = 0; late < 20; late += 1)
      call.send({ id: `late-${late}`, method: "elicitation/create", params: form() });
  });
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  await stream.done;
  expect(chat.results()).toContain("over");
  const { elicitations } = await (await chat.ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(elicitations).toEqual([]);
});

test("an answer after the end of its call is not sent to the server", async () => {
  const seen = createDeferred<void>();
  const { url, received } = await legacy(async (call) => {
    call.send({ id: "asked", method: "elicitation/create", params: form() });
    await seen.promise;
    call.result("over");
  });
  const chat = chatWith(url, ASK);
  const stream = await chat.send();
  const { elicitationId } = await stream.request();
  seen.resolve();
  await stream.done;
  const late = await chat.ada.answer("c1", { elicitationId, action: "accept", content: { name: "Ada" } });
  expect(late.status).toBe(409);
  expect(JSON.stringify(received)).not.toMatch(/\bAda\b/);
});

test("a server name with control characters, or a very long one, is shown as a short claim", async () => {
  const { url } = await legacy(async (call) => {
    await call.ask(form());
    call.result("over");
  });
  const renaming: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!response.headers.get("content-type")?.includes("json")) return response;
    const text = (await response.text()).replace(
      '"hostile"',
      JSON.stringify(`Your\u202e bank\u0007${"x".repeat(500)}`),
    );
    return new Response(text, response);
  };
  const chat = chatWith(url, ASK, { fetch: renaming });
  const stream = await chat.send();
  const { requester } = await stream.request();
  expect(requester?.name).toBe("Survey");
  expect(requester?.claimedName).toMatch(/^Your bank x{80,}$/);
  expect(requester?.claimedName?.length).toBeLessThanOrEqual(100);
  await chat.answer(stream, "cancel");
  await stream.done;
});

test("a credential that a server echoes in a question does not reach the chat", async () => {
  const accessToken = "at-9Zx0tr0ub4dor-and-3";
  const who = {
    method: "elicitation/create",
    params: form(undefined, `For ${accessToken}`),
  };
  const calls: unknown[] = [];
  const { url } = await answering((params) => {
    calls.push(params);
    return calls.length > 1
      ? { resultType: "complete", content: [] }
      : { resultType: "input_required", inputRequests: { who }, requestState: accessToken };
  });
  const chat = chatWith(url, ASK, { credentialScope: "user", credential: { accessToken } });
  const stream = await chat.send();
  await chat.answer(stream, "accept", {});
  await stream.done;
  expect(JSON.stringify(stream.chunks)).not.toContain(accessToken);
  // The server's own state is returned unchanged.
  expect(calls[1]).toMatchObject({ requestState: accessToken });
});

test.each([
  ["the same page", () => "https://pay.example.com/card", 2],
  ["another page each time", (call: number) => `https://pay.example.com/${call}`, 6],
] as const)(
  "a server that answers every call with -32042 for %s is called %s times",
  async (_, urlOf, times) => {
    let calls = 0;
    const { url } = await legacy((call) => {
      calls += 1;
      const id = call.callId;
      const data = { elicitations: [page(urlOf(calls))] };
      call.send({ id, error: { code: -32042, message: "Pages first", data } });
    });
    const chat = chatWith(url, ASK);
    const stream = await chat.send();
    for (let asked = 1; asked < times; asked += 1) {
      const { elicitationId } = await stream.request(
        0,
        (request) => request.mode === "url" && request.url === urlOf(asked),
      );
      await chat.ada.answer("c1", { elicitationId, action: "accept" });
      await chat.ada.answer("c1", { elicitationId, action: "accept" });
      await expect.poll(() => calls).toBe(asked + 1);
    }
    await stream.done;
    expect(calls).toBe(times);
    expect(chat.results()).toContain("the server asks for it again");
  },
);
