/** The link to the answer page of a request (contract, section 4). Ada and Bob use the same chat. */
import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import type { Question, RuntimeOptions } from "../index.ts";

const AUTH = "https://auth.example.com";

async function ask(
  question: Question = CITY,
  options: Partial<RuntimeOptions> = { hostedPage: { origin: AUTH } },
) {
  const runtime = createTestRuntime(asking(question), options);
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const request = await (await ada.send("c1")).request();
  const { elicitationId } = request;
  const read = async (as = ada) => {
    const response = await as.fetch(`/run/api/elicitations/${elicitationId}/link`);
    return { status: response.status, body: await response.json() };
  };
  return { runtime, ada, request, elicitationId, read };
}

test.each([
  ["a form", CITY],
  ["an account", CONNECT],
])("the user who is asked for %s reads the link to its answer page while it waits", async (_, question) => {
  const { runtime, request, elicitationId, read } = await ask(question);
  expect(request.context).toMatchObject({ worksByLink: true });
  expect(await read()).toEqual({
    status: 200,
    body: { link: `${AUTH}/auth/answer?elicitationId=${elicitationId}` },
  });
  await runtime.elicitations.decline(elicitationId);
  expect(await read()).toMatchObject({ status: 409, body: { outcome: "declined" } });
});

test("another user and a stranger get no link", async () => {
  const { runtime, read } = await ask();
  expect((await read(createChatClient(runtime.fetch, { user: "bob" }))).status).toBe(404);
  expect((await read(createChatClient(runtime.fetch))).status).toBe(401);
});

test("a runtime without an answer page offers no link, whatever the tool says", async () => {
  const context = { trigger: "tool", layout: "form", worksByLink: true };
  const { request, read } = await ask({ ...CITY, context }, {});
  expect(request.context).toEqual({ trigger: "tool", layout: "form" });
  expect((await read()).status).toBe(404);
});
