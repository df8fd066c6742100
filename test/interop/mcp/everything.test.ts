import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ElicitationRequest } from "../../../src/contract/contract.ts";
import { parseRequestedSchema } from "../../../src/form/index.ts";
import { type EverythingServer, startEverything } from "../../stages/everything-server.ts";
import type { Step } from "../../stages/scripted-model.ts";
import type { RelayedChat } from "../relayed-chat.ts";
import { chatWith, passing } from "./chat.ts";

let server: EverythingServer;
beforeAll(async () => {
  server = await startEverything();
});
afterAll(() => server.kill());

const chat = (step: Step) => chatWith(server.url, [step, "Done."]);

async function asked({ send, results }: RelayedChat) {
  const stream = await send();
  const request = await stream.request().catch((error: unknown) => {
    throw new Error(`nothing was asked: ${results()}`, { cause: error });
  });
  return { stream, request };
}

function schemaOf(request: ElicitationRequest) {
  if (request.mode !== "form") throw new Error("not a form");
  return request.requestedSchema;
}

const FORM: Step = { "srv_trigger-elicitation-request": {} };
const CONTENT = {
  name: "Ada",
  check: true,
  firstLine: "It was a dark night.",
  email: "ada@example.com",
  homepage: "https://ada.example.com",
  birthdate: "1815-12-10",
  integer: 7,
  number: 2.5,
  untitledSingleSelectEnum: "Phoebe",
  untitledMultipleSelectEnum: ["Guitar", "Piano"],
  titledSingleSelectEnum: "hero-2",
  titledMultipleSelectEnum: ["fish-2", "fish-3"],
  legacyTitledEnum: "pet-2",
};

describe("the form of server-everything with 13 fields", () => {
  test("shows all eight kinds of fields, and the server gets every value unchanged", async () => {
    const one = chat(FORM);
    const { stream, request } = await asked(one);
    const form = parseRequestedSchema(schemaOf(request));
    if (!form.ok) throw new Error(JSON.stringify(form.reasons));
    expect(form.fields.map(({ name }) => name)).toEqual(Object.keys(CONTENT));
    expect(new Set(form.fields.map(({ kind }) => kind))).toEqual(
      new Set(["text", "boolean", "number", "choice", "multi-choice"]),
    );
    await one.answer(stream, "accept", CONTENT);
    await stream.done;
    const results = one.results();
    for (const value of [Object.values(CONTENT)].flat(2)) expect(results).toContain(String(value));
    expect(results).toContain("provided the requested information");
    expect(one.errors).toEqual([]);
  });

  test.each([
    ["decline", "declined to provide"],
    ["cancel", "cancelled the elicitation"],
  ] as const)("can be left with %s, and the server gets that action", async (action, said) => {
    const one = chat(FORM);
    const { stream } = await asked(one);
    await one.answer(stream, action);
    await stream.done;
    expect(one.results()).toContain(said);
  });

  test("is cancelled for the server when it expires", async () => {
    const one = chat(FORM);
    const { stream } = await asked(one);
    one.runtime.clock.advance(600_000);
    await stream.done;
    expect(one.results()).toContain("cancelled the elicitation");
  });

  test("refuses an invalid answer, and the card stays open", async () => {
    const one = chat(FORM);
    const { stream, request } = await asked(one);
    const { elicitationId } = request;
    const refused = await one.ada.answer("c1", {
      elicitationId,
      action: "accept",
      content: { ...CONTENT, integer: 101 },
    });
    expect(refused.status).toBe(400);
    await one.answer(stream, "accept", CONTENT);
    await stream.done;
    expect(one.results()).toContain("Ada");
  });
});

const PAGE = "https://example.com/connect";

describe("the page of server-everything", () => {
  test.each([
    ["accept", "accept"],
    ["decline", "decline"],
    ["cancel", "cancel"],
  ] as const)("gets the user's %s if it was sent as a request", async (action, said) => {
    const one = chat({ "srv_trigger-url-elicitation": { url: PAGE, message: "Connect" } });
    const { stream, request } = await asked(one);
    expect(request).toMatchObject({ mode: "url", url: PAGE, message: "Connect", acceptMeans: "consent" });
    await one.answer(stream, action);
    await stream.done;
    expect(one.results().toLowerCase()).toContain(said);
  });

  test("is opened first if the server requires it (-32042), and the call is repeated in the same session when the user has finished", async () => {
    const one = chat({ "srv_trigger-url-elicitation": { url: PAGE, errorPath: true } });
    const { stream, request } = await asked(one);
    expect(request).toMatchObject({ mode: "url", url: "https://modelcontextprotocol.io" });
    await one.answer(stream, "accept");
    await one.answer(stream, "accept");
    const second = await stream.request(0, (other) => other.mode === "url" && other.url === PAGE);
    await one.ada.answer("c1", { elicitationId: second.elicitationId, action: "accept" });
    await stream.done;
    expect(one.results().toLowerCase()).toContain("accept");
    expect(one.results()).not.toContain("not provided");
  });
});

test("a form that server-everything sends as a task is shown, and the server polls for the answer", async () => {
  const one = chat({ "srv_trigger-elicitation-request-async": {} });
  const { stream } = await asked(one);
  await one.answer(stream, "accept", { name: "Ada", favoriteColor: "Green", agreeToTerms: true });
  await stream.done;
  const results = one.results();
  expect(results).toContain("Task created");
  expect(results).toContain("Green");
});

describe("a tool of server-everything that only runs as a task", () => {
  const RESEARCH = { "srv_simulate-research-query": { topic: "python", ambiguous: true } };

  test("asks while it runs, and its result becomes the result of the call", async () => {
    const one = chat(RESEARCH);
    const { stream, request } = await asked(one);
    const schema = schemaOf(request);
    expect(Object.keys(schema.properties)).toEqual(["interpretation"]);
    await one.answer(stream, "accept", { interpretation: "snake" });
    await stream.done;
    expect(one.results()).toContain("snake");
    expect(one.errors).toEqual([]);
  });

  test("may run for longer than the time limit of a silent server", async () => {
    const one = chat({ "srv_simulate-research-query": { topic: "snakes" } });
    const stream = await one.send();
    // While the tool works for some seconds, the chat's clock advances by minutes.
    await passing(one, stream.done);
    expect(one.results()).toContain("Research Report");
  });
});

test("the tools of server-everything that ask are hidden when elicitation is turned off", async () => {
  const one = chatWith(server.url, [FORM, "Done."], { elicitation: false });
  await (
    await one.send()
  ).done;
  expect(one.results()).toContain("unavailable tool");
  expect(one.results()).toContain("srv_echo");
});

test("server-everything gets error -32602 for a form in a chat that only supports pages", async () => {
  const one = chatWith(server.url, [FORM, "Done."]);
  await (
    await one.send("c1", { capabilities: { elicitation: { url: {} } } })
  ).done;
  expect(one.results()).toContain("-32602");
});
