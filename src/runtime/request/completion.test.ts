import { expect, test, vi } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { StoreAway } from "../../base/foreign-error.ts";
import { type Question, createMemoryRecords } from "../index.ts";

async function ask(question: Question = CONNECT, options: Parameters<typeof createTestRuntime>[1] = {}) {
  const runtime = createTestRuntime(asking(question), options);
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  return { runtime, ada, stream, elicitationId };
}

function said(chunks: readonly Readonly<Record<string, unknown>>[]): unknown {
  return JSON.parse(String(chunks.find(({ type }) => type === "text-delta")?.["delta"]));
}

/** Advances the clock so that an answer can check for completion three times. */
async function throughLookUps<T>(
  clock: { advance(ms: number): void; waiting: number },
  answering: Promise<T>,
): Promise<T> {
  const idle = clock.waiting;
  for (let pause = 1; pause <= 2; pause += 1) {
    await vi.waitUntil(() => clock.waiting > idle, { interval: 1 });
    clock.advance(500);
  }
  return answering;
}

test("after 'I've finished', the server checks the page three times, half a second apart, replies 202, and keeps the request open", async () => {
  const looks: number[] = [];
  const { runtime, ada, stream, elicitationId } = await ask(CONNECT, {
    isCompleted: () => {
      looks.push(runtime.clock.now());
      return false;
    },
  });
  const began = runtime.clock.now();
  const response = await throughLookUps(runtime.clock, ada.answer("c1", { elicitationId, action: "accept" }));
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({ success: true, elicitationId, status: "pending" });
  expect(looks.map((at) => at - began)).toEqual([0, 500, 1000]);

  await runtime.elicitations.complete(elicitationId);
  await stream.done;
  expect(said(stream.chunks)).toEqual({ outcome: "accepted", content: {} });
});

test("a page that is completed between two checks of an accept ends the request", async () => {
  const { runtime, ada, elicitationId } = await ask();
  const idle = runtime.clock.waiting;
  const answering = ada.answer("c1", { elicitationId, action: "accept" });
  await vi.waitUntil(() => runtime.clock.waiting > idle, { interval: 1 });
  await runtime.elicitations.complete(elicitationId);
  runtime.clock.advance(500);
  const response = await answering;
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ outcome: "accepted" });
});

test("a credential that other code has stored completes the request", async () => {
  const { ada, stream, elicitationId } = await ask(CONNECT, {
    isCompleted: ({ tool }) => tool?.id === "tracker",
  });
  const response = await ada.answer("c1", { elicitationId, action: "accept" });
  expect(await response.json()).toEqual({ success: true, elicitationId, outcome: "accepted" });
  await stream.done;
  expect(said(stream.chunks)).toEqual({ outcome: "accepted", content: {} });
});

test("the completion of a page continues the turn without a message of the client", async () => {
  const { runtime, ada, stream, elicitationId } = await ask();
  expect(await runtime.elicitations.complete(elicitationId)).toBe(true);
  await stream.done;
  expect(said(stream.chunks)).toEqual({ outcome: "accepted", content: {} });
  const response = await ada.answer("c1", { elicitationId, action: "accept" });
  expect(await response.json()).toEqual({
    success: true,
    elicitationId,
    outcome: "accepted",
    alreadyProcessed: true,
  });
});

test("the result of a sign-in is stored before the agent continues", async () => {
  const order: string[] = [];
  const runtime = createTestRuntime(async function* run(turn) {
    await turn.ask(CONNECT);
    order.push("agent");
    yield { type: "finish" };
  });
  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push("stored");
  });
  await stream.done;
  expect(order).toEqual(["stored", "agent"]);
});

test("of many completions only one stores its result, and a completion of an ended request stores nothing", async () => {
  const { runtime, ada, elicitationId } = await ask();
  const stored: number[] = [];
  const store = (index: number) => async () => void stored.push(index);
  const won = await Promise.all(
    [0, 1, 2, 3].map((index) => runtime.elicitations.complete(elicitationId, store(index))),
  );
  expect(won.filter(Boolean)).toHaveLength(1);
  expect(stored).toHaveLength(1);
  expect((await ada.answer("c1", { elicitationId, action: "decline" })).status).toBe(409);
});

test("when storing fails, the request fails for the agent and the card, and complete() rejects", async () => {
  const { runtime, ada, stream, elicitationId } = await ask();
  const failing = runtime.elicitations.complete(elicitationId, () => Promise.reject(new Error("disk full")));
  await expect(failing).rejects.toThrow("disk full");
  await stream.done;
  const reason = "the connection could not be stored";
  expect(said(stream.chunks)).toEqual({ outcome: "failed", reason });
  const told = stream.chunks.flatMap(({ type, data }) => (type === "data-elicitation-request" ? [data] : []));
  expect(told.at(-1)).toMatchObject({ resolution: { outcome: "failed", reason } });
  expect(await (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json()).toMatchObject({
    status: "failed",
  });
});

test("when storing fails, the record says so even if another write comes between", async () => {
  const records = createMemoryRecords();
  let isRaced = false;
  const { runtime, stream, elicitationId } = await ask(CONNECT, {
    ports: {
      records: {
        ...records,
        async compareAndSet(next, settlement) {
          if (next.status !== "failed" || isRaced) return records.compareAndSet(next, settlement);
          isRaced = true;
          const before = await records.get(next.request.elicitationId);
          await records.compareAndSet({ ...before!, revision: next.revision });
          return records.compareAndSet(next, settlement);
        },
      },
    },
  });
  const failing = runtime.elicitations.complete(elicitationId, () => Promise.reject(new Error("disk full")));
  await expect(failing).rejects.toThrow("disk full");
  await stream.done;
  expect(await records.get(elicitationId)).toMatchObject({ status: "failed" });
});

test("stop withdraws the request, and nothing is stored if its popup completes later", async () => {
  const { runtime, ada, stream, elicitationId } = await ask();
  await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await stream.done;
  let stored = false;
  const late = await runtime.elicitations.complete(elicitationId, async () => {
    stored = true;
  });
  expect({ late, stored }).toEqual({ late: false, stored: false });
  expect((await ada.answer("c1", { elicitationId, action: "accept" })).status).toBe(409);
});

test("when the provider refuses, the request stays open, and the stream, the status and the 202 contain the reason", async () => {
  const { runtime, ada, stream, elicitationId } = await ask();
  const lastError = "Access to Tracker was not granted.";
  expect(await runtime.elicitations.fail(elicitationId, lastError)).toBe(true);
  const request = await stream.request(0, ({ progress }) => progress !== undefined);
  expect(request.progress).toEqual({ status: "pending", lastError });
  const response = await throughLookUps(runtime.clock, ada.answer("c1", { elicitationId, action: "accept" }));
  expect(await response.json()).toEqual({ success: true, elicitationId, status: "pending", lastError });
});

test("an accept that means consent is reported as progress; completion, decline and expiry end the request", async () => {
  const consent: Question = { ...CONNECT, acceptMeans: "consent" };
  const { runtime, ada, stream, elicitationId } = await ask(consent);
  const consented = { success: true, elicitationId, status: "consented" };
  expect(await (await ada.answer("c1", { elicitationId, action: "accept" })).json()).toEqual(consented);
  expect(await (await ada.answer("c1", { elicitationId, action: "accept" })).json()).toEqual(consented);
  expect(await (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json()).toMatchObject({
    status: "consented",
  });
  const request = await stream.request(0, ({ progress }) => progress !== undefined);
  expect(request.progress).toEqual({ status: "consented" });
  await runtime.elicitations.complete(elicitationId);
  await stream.done;
  expect(said(stream.chunks)).toEqual({ outcome: "accepted", content: {} });

  const second = await ask(consent);
  await second.ada.answer("c1", { elicitationId: second.elicitationId, action: "accept" });
  await second.ada.answer("c1", { elicitationId: second.elicitationId, action: "decline" });
  await second.stream.done;
  expect(said(second.stream.chunks)).toEqual({ outcome: "declined" });
});

test("a decline on the hosted page ends the request as declined, once", async () => {
  const { runtime, stream, elicitationId } = await ask();
  expect(await runtime.elicitations.decline(elicitationId)).toBe(true);
  expect(await runtime.elicitations.decline(elicitationId)).toBe(false);
  await stream.done;
  expect(said(stream.chunks)).toEqual({ outcome: "declined" });
});

test("a page is vouched for only by the user's own chat, and only while the request is open", async () => {
  const { runtime, ada, elicitationId } = await ask();
  const before = JSON.stringify(await runtime.elicitations.get(elicitationId));
  const bind = (client: typeof ada, challenge: unknown) =>
    client.fetch(`/run/api/elicitations/${elicitationId}/bind`, { body: { challenge } });
  const challenge = "x".repeat(43);
  for (const malformed of ["", "x".repeat(42), "x".repeat(44), `${"x".repeat(42)}\n`, 1, [challenge]]) {
    expect((await bind(ada, malformed)).status).toBe(400);
  }
  expect((await bind(createChatClient(runtime.fetch, { user: "bob" }), challenge)).status).toBe(404);
  const bound = await bind(ada, challenge);
  expect(bound.status).toBe(200);
  const ticket = expect.stringMatching(/^\d+\.[\w-]{43}$/);
  expect(await bound.json()).toEqual({ success: true, elicitationId, ticket });
  expect(JSON.stringify(await runtime.elicitations.get(elicitationId))).toBe(before);
  await ada.answer("c1", { elicitationId, action: "decline" });
  const late = await bind(ada, challenge);
  expect(late.status).toBe(409);
  expect(await late.json()).toMatchObject({ outcome: "declined" });
});

test("a URL request names the service that its page connects", async () => {
  const service = { name: "Tracker", iconDataUrl: "data:image/svg+xml;base64,PHN2Zy8+" };
  const { stream } = await ask({ ...CONNECT, service });
  expect(await stream.request()).toMatchObject({ service });
});

test.each([
  ["a remote icon", "https://tracker.example/icon.png"],
  ["an icon that is no image", "data:text/html,x"],
  ["an icon of more than 8 KiB", `data:image/png;base64,${"A".repeat(8 * 1024)}`],
])("a question whose service has %s fails, and the user is not asked", async (_, iconDataUrl) => {
  const errors: unknown[] = [];
  const question = { ...CONNECT, service: { name: "Tracker", iconDataUrl } };
  const runtime = createTestRuntime(asking(question), { onError: (error) => errors.push(error) });
  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await stream.done;
  expect(said(stream.chunks)).toEqual({ outcome: "failed", reason: "the request could not be made" });
  expect(String(errors[0])).toContain("elicit-kit: the icon of a service must be a data: URL of an image");
});

test("the outcome contains the provider's name for the connected account, on one short line", async () => {
  const { runtime, stream, elicitationId } = await ask();
  const account = `ada\u202e\n@example.com ${"x".repeat(500)}`;
  await runtime.elicitations.complete(elicitationId, undefined, { account });
  await stream.done;
  const ended = stream.chunks.findLast(({ type }) => type === "data-elicitation-request");
  const shown = `ada @example.com ${"x".repeat(500)}`.slice(0, 100);
  expect(ended?.["data"]).toMatchObject({ resolution: { outcome: "accepted", account: shown } });
});

test("an account that could not be stored is not named in the outcome", async () => {
  const { runtime, elicitationId } = await ask();
  const store = () => Promise.reject(new Error("The store is full."));
  await runtime.elicitations.complete(elicitationId, store, { account: "ada" }).catch(() => undefined);
  const record = await runtime.elicitations.get(elicitationId);
  expect(record).toMatchObject({ status: "failed" });
  expect(record?.account).toBeUndefined();
});

test("the turn does not continue while the page still tries to store the result after an outage", async () => {
  let tries = 0;
  const seen: number[] = [];
  const runtime = createTestRuntime(async function* run(turn) {
    await turn.ask(CONNECT);
    seen.push(tries);
    yield { type: "finish" };
  });
  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await stream.request();
  // The server looks every minute whether the request has ended.
  await runtime.clock.advanceAsync(59_000);
  const completed = runtime.elicitations.complete(elicitationId, async () => {
    tries += 1;
    if (tries < 6) throw new StoreAway("elicit-kit: the store is away.");
  });
  await runtime.clock.advanceAsync(14_600);
  expect(await completed).toBe(true);
  await stream.done;
  expect(seen).toEqual([6]);
});
