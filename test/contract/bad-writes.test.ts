import { serve } from "elicit-kit/node";
import { createMemoryRemembered } from "elicit-kit/runtime";
import { afterEach, describe, expect, test } from "vitest";
import { stageAssigning } from "../stages/assigning.ts";
import { CITY } from "../stages/test-runtime.ts";

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A runtime over HTTP, whose agent asks Bo, or another user in his place. */
async function start(assignee?: { user: string }) {
  const stage = stageAssigning(
    { ...CITY, remember: true, ...(assignee && { assignee }) },
    {
      ports: { remembered: createMemoryRemembered() },
      assign: {
        choicesOf: () => [{ user: "cy" }],
        nameOf: ({ user }) => (user === "nobody" ? undefined : user),
      },
    },
  );
  const { url, close } = await serve({ fetch: stage.runtime.fetch });
  stops.push(() => stage.runtime.close(), close);
  const turn = await stage.bo.send("c1");
  const { elicitationId } = await turn.request();
  async function send(
    route: string,
    { user = "bo", id = elicitationId, type = "application/json", ...init }: Sent,
  ) {
    const headers = {
      ...(user !== "" && { authorization: `Bearer ${user}` }),
      ...(type !== "" && { "content-type": type }),
    };
    // A remembered answer has a name of its own.
    const owner = route === "forget" ? "remembered" : "elicitations";
    const response = await fetch(`${url}/run/api/${owner}/${id}/${route}`, {
      method: "POST",
      headers,
      ...init,
    });
    const problem: unknown = await response.json();
    return { response, problem };
  }
  return { ...stage, elicitationId, turn, send };
}

interface Sent {
  user?: string;
  id?: string;
  type?: string;
  method?: string;
  body?: string;
}

const HUGE = JSON.stringify({ to: null, more: "x".repeat(70_000) });

type Bad = readonly [string, Sent, number, RegExp];

/** Bad input for these routes, and the replies. */
const BAD: readonly Bad[] = [
  ["no body", {}, 400, /Send a JSON object/],
  ["half of a body", { body: '{"to":' }, 400, /Send a JSON object/],
  ["a list", { body: "[]" }, 400, /such as \{\}/],
  ["null", { body: "null" }, 400, /such as \{\}/],
  ["a form of another page", { type: "text/plain", body: "{}" }, 415, /application\/json/],
  ["a huge body", { body: HUGE }, 413, /larger than 65536 bytes/],
  ["nobody's request", { user: "", body: '{"to":null}' }, 401, /Sign in/],
  ["PUT", { method: "PUT", body: '{"to":null}' }, 405, /takes POST/],
  ["DELETE", { method: "DELETE" }, 405, /takes POST/],
  ["GET", { method: "GET" }, 405, /takes POST/],
];

/** Not for `forget`: forgetting an unknown answer succeeds, because it is already forgotten. */
const BAD_IDS: readonly Bad[] = [
  ["another user's request", { user: "dan", body: '{"to":null}' }, 404, /Check the id, and who is signed in/],
  ["an unknown request", { id: "unknown", body: '{"to":null}' }, 404, /Check the id/],
  ["an id that is no text", { id: "%E0%A4%A", body: '{"to":null}' }, 404, /Check the id/],
];

/** One for each check. `assignee` gets all, because the routes read bodies and ids with the same code. */
const ONE_OF_EACH = new Set([
  "no body",
  "a form of another page",
  "nobody's request",
  "GET",
  "another user's request",
  "an unknown request",
]);
const oneOfEach = (all: readonly Bad[]) => all.filter(([what]) => ONE_OF_EACH.has(what));

describe.each([
  { route: "assignee", bad: [...BAD, ...BAD_IDS] },
  { route: "forget", bad: oneOfEach(BAD) },
  { route: "remind", bad: oneOfEach([...BAD, ...BAD_IDS]) },
])("the route $route", ({ route, bad }) => {
  test.each(bad)("refuses %s with a problem that says what to do", async (_, sent, status, detail) => {
    const { send, ada, bo, turn, elicitationId } = await start({ user: "ada" });
    const { response, problem } = await send(route, sent);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(problem).toMatchObject({
      status,
      title: expect.any(String),
      detail: expect.stringMatching(detail),
    });
    expect(response.status).toBe(status);
    if (status === 405) expect(response.headers.get("allow")).toBe("POST");
    // Nothing has changed: Ada decides, and the turn continues with her answer.
    expect((await bo.answer("c1", { elicitationId, action: "decline" })).status).toBe(409);
    expect((await ada.answer(elicitationId, { elicitationId, action: "decline" })).status).toBe(200);
    await turn.done;
  });
});

test.each([
  "{}",
  '{"to":{}}',
  '{"to":{"user":""}}',
  '{"to":{"user":7}}',
  '{"to":{"user":"cy","group":"finance"}}',
  JSON.stringify({ to: { user: "x".repeat(300) } }),
])("the body %s is refused, and the error says how to name a user", async (body) => {
  const { send, ada } = await start({ user: "ada" });
  const { problem } = await send("assignee", { body });
  expect(problem).toMatchObject({ status: 400, detail: expect.stringContaining("{ user } or { group }") });
  expect(await ada.inbox()).toHaveLength(1);
});

test("a question stays with its user when it is assigned to an unknown user", async () => {
  const { send, ada } = await start({ user: "ada" });
  const { problem } = await send("assignee", { body: '{"to":{"user":"nobody"}}' });
  expect(problem).toMatchObject({ status: 403, detail: expect.stringContaining("`assignees`") });
  expect(await ada.inbox()).toHaveLength(1);
});

test("an ended question cannot be reassigned, and no reminder is sent for it", async () => {
  const { send, bo, turn, elicitationId } = await start();
  await bo.answer("c1", { elicitationId, action: "accept", content: { city: "Rome" } });
  await turn.done;
  const { problem } = await send("assignee", { body: '{"to":{"user":"cy"}}' });
  expect(problem).toMatchObject({ status: 409, title: "Conflict", outcome: "accepted" });
  expect((await send("remind", { body: "{}" })).problem).toMatchObject({ status: 409, outcome: "accepted" });
});
