import { type StreamResponse, TaskState } from "@a2a-js/sdk";
import { type RunTurn, createMemoryTurnStream } from "elicit-kit/runtime";
import { describe, expect, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { CITY, CONNECT, asking, text } from "../../stages/test-runtime.ts";
import { caller, collect, questionsOf, replyOf, serve, stateOf, statesOf, wordsOf } from "./served.ts";

const {
  TASK_STATE_WORKING: WORKING,
  TASK_STATE_COMPLETED: COMPLETED,
  TASK_STATE_INPUT_REQUIRED: INPUT_REQUIRED,
  TASK_STATE_AUTH_REQUIRED: AUTH_REQUIRED,
} = TaskState;

const TRANSPORTS = [
  ["JSON-RPC", { transport: "JSONRPC" }],
  ["HTTP+JSON", { transport: "HTTP+JSON" }],
  ["protocol 0.3", { transport: "JSONRPC", legacy: true }],
] as const;

const lastTask = (events: readonly StreamResponse[]) => {
  const [first] = events;
  if (first?.payload?.$case !== "task") throw new Error("The stream does not begin with the task.");
  return first.payload.value;
};

describe.each(TRANSPORTS)("a client of the SDK (%s)", (_, options) => {
  test("gets the reply of a task without questions as an artifact", async () => {
    const served = serve(async function* run() {
      yield* text("Rome is sunny.");
    });
    const ada = await caller(served, options);
    const task = await ada.send("How is the weather?");
    expect(stateOf(task)).toBe(COMPLETED);
    expect(replyOf(task)).toBe("Rome is sunny.");
    expect(await ada.get(task.id)).toMatchObject({ id: task.id, contextId: task.contextId });
    expect([...served.errors, ...served.runtime.errors]).toEqual([]);
  });

  test("is asked with a form, answers on the task, and the same task continues", async () => {
    const served = serve(asking(CITY));
    const ada = await caller(served, options);
    const task = await ada.send("Book");
    expect(stateOf(task)).toBe(INPUT_REQUIRED);
    const [question] = questionsOf(task);
    expect(question).toMatchObject({
      mode: "form",
      message: "Where to?",
      requestedSchema: CITY.requestedSchema,
    });
    const { elicitationId } = question!;
    const ended = await ada.answer(task, { elicitationId, action: "accept", content: { city: "Rome" } });
    expect(ended.id).toBe(task.id);
    expect(stateOf(ended)).toBe(COMPLETED);
    expect(JSON.parse(replyOf(ended))).toEqual({ outcome: "accepted", content: { city: "Rome" } });
    expect([...served.errors, ...served.runtime.errors]).toEqual([]);
  });

  test("has a stream that ends when the task needs input, and the stream of the answer continues to the end", async () => {
    const ada = await caller(serve(asking(CITY)), options);
    const first = await collect(ada.stream("Book"));
    expect(statesOf(first)).toEqual([WORKING, INPUT_REQUIRED]);
    const { id, contextId } = lastTask(first);
    const [question] = questionsOf(await ada.get(id));
    const answer = { elicitationId: question!.elicitationId, action: "decline" } as const;
    const ended = await ada.answer({ ...lastTask(first), id, contextId }, answer);
    expect(replyOf(ended)).toBe('{"outcome":"declined"}');
  });

  test("has a stream that stays open while the user is on a page, and reports the completion", async () => {
    const served = serve(asking(CONNECT));
    const ada = await caller(served, options);
    const events: StreamResponse[] = [];
    for await (const event of ada.stream("Connect")) {
      events.push(event);
      const status = event.payload?.$case === "statusUpdate" ? event.payload.value.status : undefined;
      if (status?.state !== AUTH_REQUIRED) continue;
      const [page] = questionsOf({ status });
      expect(page).toMatchObject({ mode: "url", message: CONNECT.message });
      expect(page?.mode === "url" && page.url).toContain(
        "https://auth.example.com/auth/connect?elicitationId=",
      );
      await served.runtime.elicitations.complete(page!.elicitationId);
    }
    expect(statesOf(events)).toEqual([WORKING, AUTH_REQUIRED, WORKING, COMPLETED]);
    const task = await ada.get(lastTask(events).id);
    expect(replyOf(task)).toBe('{"outcome":"accepted","content":{}}');
  });
});

test("the stream of an answer has the reply piece by piece", async () => {
  const run: RunTurn = async function* run() {
    yield { type: "text-start", id: "t1" };
    for (const delta of ["Rome ", "is ", "sunny."]) yield { type: "text-delta", id: "t1", delta };
    yield { type: "text-end", id: "t1" };
    yield* text("Bring a hat.");
  };
  const ada = await caller(serve(run));
  const events = await collect(ada.stream("Weather?"));
  const pieces = events.flatMap(({ payload }) =>
    payload?.$case === "artifactUpdate" ? [payload.value] : [],
  );
  expect(pieces.map(({ append }) => append)).toEqual([false, true, true, true]);
  expect(pieces.map((piece) => replyOf({ artifacts: [piece.artifact!] })).join("")).toBe(
    "Rome is sunny.\n\nBring a hat.",
  );
});

test("the agent card has security schemes in the JSON of the protocol, which the SDK's client reads back", async () => {
  const securitySchemes = {
    key: { apiKeySecurityScheme: { location: "header", name: "x-key" } },
    bearer: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } },
    account: {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: {
            authorizationUrl: "https://auth.example.com/authorize",
            tokenUrl: "https://auth.example.com/token",
            scopes: { "trips:book": "Book trips" },
            pkceRequired: true,
          },
        },
        oauth2MetadataUrl: "https://auth.example.com/.well-known/oauth-authorization-server",
      },
    },
    openId: { openIdConnectSecurityScheme: { openIdConnectUrl: "https://auth.example.com/openid" } },
    certificate: { mtlsSecurityScheme: { description: "Of a client" } },
  };
  const securityRequirements = [{ schemes: { account: { list: ["trips:book"] }, key: { list: [] } } }];
  const about = { name: "Travel agent", description: "Books trips", securitySchemes, securityRequirements };
  const served = serve(asking(CITY), { surface: { card: about } });
  const response = await served.fetch("https://agent.example.com/.well-known/agent-card.json", {
    headers: { "a2a-version": "1.0" },
  });
  expect(await response.json()).toMatchObject({
    securitySchemes,
    // An empty list is left out in this JSON.
    securityRequirements: [{ schemes: { account: { list: ["trips:book"] }, key: {} } }],
  });
  const { card } = await caller(served);
  expect(
    Object.values(card.securitySchemes).map(({ scheme: declared }) => [declared?.$case, declared?.value]),
  ).toMatchObject([
    ["apiKeySecurityScheme", { location: "header", name: "x-key" }],
    ["httpAuthSecurityScheme", { scheme: "Bearer", bearerFormat: "JWT" }],
    [
      "oauth2SecurityScheme",
      { flows: { flow: { $case: "authorizationCode", value: { scopes: { "trips:book": "Book trips" } } } } },
    ],
    ["openIdConnectSecurityScheme", { openIdConnectUrl: "https://auth.example.com/openid" }],
    ["mtlsSecurityScheme", { description: "Of a client" }],
  ]);
  expect(card.securityRequirements).toEqual(securityRequirements);
});

test("a client that is reading gets the whole reply again when a part of it was discarded", async () => {
  const stream = createMemoryTurnStream();
  let fence = 0;
  const hasRead = createDeferred<void>();
  const run: RunTurn = async function* run({ id }) {
    yield* text("Kept.");
    yield { type: "text-start", id: "t2" };
    yield { type: "text-delta", id: "t2", delta: "Half a sen" };
    await hasRead.promise;
    // Discards the last text, like a model call that was interrupted and runs again.
    const log = await collect(stream.read(id, { live: false, signal: new AbortController().signal }));
    const from = log.findLast(({ chunk }) => chunk.type === "text-start")?.seq ?? 0;
    await stream.discard(id, from, { fence });
    yield* text("A sentence.");
  };
  async function lease(turnId: string) {
    const held = await stream.lease(turnId);
    ({ fence } = held);
    return held;
  }
  const ada = await caller(serve(run, { ports: { stream: { ...stream, lease } } }));
  const updates: unknown[] = [];
  let reply = "";
  const events: StreamResponse[] = [];
  for await (const event of ada.stream("Weather?")) {
    events.push(event);
    if (event.payload?.$case !== "artifactUpdate") continue;
    const { artifact, append, lastChunk } = event.payload.value;
    const piece = replyOf({ artifacts: [artifact!] });
    updates.push([append, lastChunk, piece]);
    reply = append ? reply + piece : piece;
    if (piece.includes("Half")) hasRead.resolve();
  }
  expect(updates).toEqual([
    [false, false, "Kept."],
    [true, false, "\n\nHalf a sen"],
    [false, false, "Kept."],
    [true, false, "\n\nA sentence."],
  ]);
  expect(replyOf(await ada.get(lastTask(events).id))).toBe(reply);
});

describe("a client without the extension", () => {
  test("reads the question as text, and answers a form of one field with a text", async () => {
    const one = {
      ...CITY,
      requestedSchema: {
        type: "object",
        properties: { city: { type: "string", title: "City" } },
        required: ["city"],
      },
    } as const;
    const ada = await caller(serve(asking(one)), { extension: false });
    const task = await ada.send("Book");
    expect(stateOf(task)).toBe(INPUT_REQUIRED);
    expect(wordsOf(task)).toBe("Where to?\n\nAnswer with: City, a text");
    expect(task.status?.message?.metadata).toBeUndefined();
    const ended = await ada.send("Rome", { taskId: task.id });
    expect(replyOf(ended)).toBe('{"outcome":"accepted","content":{"city":"Rome"}}');
  });

  test("reads the address of a page as text", async () => {
    const served = serve(asking(CONNECT));
    const ada = await caller(served, { extension: false });
    const task = await ada.send("Connect");
    expect(stateOf(task)).toBe(AUTH_REQUIRED);
    expect(wordsOf(task)).toContain("https://auth.example.com/auth/connect?elicitationId=");
  });
});
