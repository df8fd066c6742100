/** Two of our runtimes: the remote one behind A2A, the local one with the chat. */
import { beforeEach, describe, expect, test } from "vitest";
import type { RunTurn } from "elicit-kit/runtime";
import { createMemoryRecords } from "../../../src/runtime/index.ts";
import { createChatClient } from "../../stages/chat-client.ts";
import { createDurableEngine } from "../../stages/durable-engine.ts";
import { CITY, CONNECT, text } from "../../stages/test-runtime.ts";
import { chatWith } from "./chat.ts";
import { type Served, serve } from "./served.ts";

const SECRETS = { headers: { authorization: "Bearer ada" } };

/** A remote agent with two processes, of which the first can be killed. Its ids are the same when the turn runs again. */
function serveTwice() {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  const { waiter, stream } = engine;
  const run: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const page = await turn.ask({ ...CONNECT, elicitationId: "page-1" });
    const form = await turn.ask({ ...CITY, elicitationId: "form-1" });
    yield* text(`Far: ${JSON.stringify([page, form])}`);
    yield { type: "finish" };
  };
  const startProcess = () => {
    const runner = engine.startProcess();
    return { runner, ...serve(run, { ports: { records, waiter, stream, runner } }) };
  };
  let process = startProcess();
  const cut = new Set<() => void>();
  return {
    current: () => process,
    async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      const response = await process.fetch(input, init);
      const connection = new AbortController();
      cut.add(() => connection.abort(new Error("The connection is cut.")));
      const { signal } = connection;
      const body = response.body?.pipeThrough(new TransformStream(), { signal });
      return new Response(body ?? null, response);
    },
    /** Ends the first process and its connections. Resolves when the second one has taken over. */
    async kill() {
      process.runner.die();
      process = startProcess();
      for (const end of cut) end();
      void process.runner.recover();
    },
  };
}

/** The remote agent: it asks for a connection, and then for a form. */
const connectThenAsk: RunTurn = async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  const page = await turn.ask(CONNECT);
  const form = page.outcome === "accepted" ? await turn.ask(CITY) : undefined;
  yield* text(`Far: ${JSON.stringify({ page: page.outcome, form })}`);
  yield { type: "finish" };
};

describe.each(["JSONRPC", "HTTP+JSON"] as const)(
  "an agent of the kit behind A2A (%s), called by a chat of the kit",
  (transport) => {
    let far: Served;
    let near: ReturnType<typeof chatWith>;
    beforeEach(() => {
      far = serve(connectThenAsk);
      near = chatWith("https://agent.example.com", undefined, { fetch: far.fetch, transport, ...SECRETS });
    });

    test("asks for a connection, then with a form, and both are ordinary cards of the chat", async () => {
      const stream = await near.send();
      const page = await stream.request(0);
      expect(page).toMatchObject({
        mode: "url",
        message: CONNECT.message,
        requester: { name: "Contoso Travel" },
      });
      expect(page.mode === "url" && page.url).toContain("https://auth.example.com/auth/connect");
      await near.answer(stream, "accept", undefined, 0);
      const id = new URL(page.mode === "url" ? page.url : "").searchParams.get("elicitationId");
      await far.runtime.elicitations.complete(id!);
      const form = await stream.request(0, ({ mode }) => mode === "form");
      expect(form).toMatchObject({
        mode: "form",
        message: CITY.message,
        requestedSchema: CITY.requestedSchema,
      });
      const answer = { elicitationId: form.elicitationId, action: "accept", content: { city: "Rome" } };
      expect((await near.ada.answer("c1", answer)).status).toBe(200);
      await stream.done;
      expect(near.results()).toContain("Rome");
      expect(near.results()).toContain("Far:");
      // Each runtime asks with its own request.
      expect(page.elicitationId).not.toBe(id);
      expect([...near.errors, ...near.runtime.errors, ...far.errors, ...far.runtime.errors]).toEqual([]);
    });

    test("gets a decline, and continues", async () => {
      const stream = await near.send();
      await stream.request(0);
      await near.answer(stream, "decline", undefined, 0);
      await stream.done;
      expect(near.results()).toContain("declined");
      expect([...near.errors, ...far.errors]).toEqual([]);
    });
  },
);

test.each([
  ["the user's languages", undefined, ["de-CH", "fr"]],
  ["the language that the operator has set", { "Accept-Language": "ja" }, ["ja"]],
])("a remote agent gets %s", async (_, headers, languages) => {
  let got: readonly string[] = [];
  const far = serve(async function* run(turn) {
    got = turn.languages;
    yield* text("Done.");
  });
  const near = chatWith("https://agent.example.com", undefined, {
    fetch: far.fetch,
    headers: { ...SECRETS.headers, ...headers },
  });
  const ada = createChatClient(near.runtime.fetch, {
    user: "ada",
    headers: { "accept-language": "de-CH, fr;q=0.5" },
  });
  await (
    await ada.send("c1")
  ).done;
  expect(got).toEqual(languages);
});

test("nothing is lost when the remote process is killed while the user is on a page, and again before they answer", async () => {
  const far = serveTwice();
  const near = chatWith("https://agent.example.com", undefined, { fetch: far.fetch, ...SECRETS });
  const stream = await near.send();
  await stream.request();
  await far.kill();
  await far.current().runtime.elicitations.complete("page-1");
  const form = await stream.request(0, ({ mode }) => mode === "form");
  await far.kill();
  const answer = { elicitationId: form.elicitationId, action: "accept", content: { city: "Rome" } };
  expect((await near.ada.answer("c1", answer)).status).toBe(200);
  await stream.done;
  expect(near.results()).toContain("Rome");
  const cards = new Set(
    stream.chunks.flatMap(({ type, id }) => (type === "data-elicitation-request" ? [id] : [])),
  );
  expect(cards.size).toBe(2);
  expect([...near.errors, ...near.runtime.errors, ...far.current().errors]).toEqual([]);
});
