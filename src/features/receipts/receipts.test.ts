/** The receipt of a connected account (contract, section 4). Ada and Bob use the same chat. */
import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createMemoryCredentials, withConnectors } from "../../connect/index.ts";
import type { Question } from "../../runtime/index.ts";

const provider = {
  service: "Tracker",
  issuer: "https://login.tracker.example",
  clientId: "kit",
  scopes: ["issues:write", "read"],
  scopeWords: { "issues:write": { en: "create issues for you", de: "Vorgänge für Sie anlegen" } },
};
const connectedAt = Date.parse("2026-11-20T12:00:00Z");

/** Ada's agent asks her to connect Tracker, and she does. */
async function connected(question: Question = CONNECT, fetch?: typeof globalThis.fetch) {
  const credentials = createMemoryCredentials();
  const accounts = withConnectors(credentials, {
    providers: { tracker: provider },
    fetch: fetch ?? (() => Promise.resolve(new Response(null, { status: 404 }))),
  });
  const runtime = createTestRuntime(asking(question), { accounts });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const { elicitationId } = await (await ada.send("c1")).request();
  const account = {
    accessToken: "secret-token",
    account: "ada@tracker.example",
    scope: "issues:write read",
    connectedAt,
  };
  const store = () => credentials.set("tracker", "ada", account);
  const path = `/run/api/elicitations/${elicitationId}/account`;
  const read = async (as = ada, query = "") => {
    const response = await as.fetch(path + query);
    return { status: response.status, body: await response.json() };
  };
  const remove = async (as = ada, init: Parameters<typeof ada.fetch>[1] = { body: {} }) => {
    const response = await as.fetch(`${path}/remove`, init);
    return { status: response.status, body: await response.json() };
  };
  return { runtime, ada, elicitationId, credentials, store, read, remove };
}

test("a user reads the rights of the account that a request has connected in their language, and no token", async () => {
  const { runtime, elicitationId, store, read } = await connected();
  expect((await read()).status).toBe(404);
  await runtime.elicitations.complete(elicitationId, store);
  const since = "2026-11-20T12:00:00.000Z";
  expect(await read()).toEqual({
    status: 200,
    body: { connected: true, rights: ["create issues for you", "read"], since },
  });
  const german = await read(undefined, "?lang=de");
  expect(german.body).toEqual({ connected: true, rights: ["Vorgänge für Sie anlegen", "read"], since });
});

test("a user removes the account from its receipt, which then says so, also after a second press", async () => {
  const { runtime, elicitationId, credentials, store, read, remove } = await connected();
  expect((await remove()).status).toBe(404);
  await runtime.elicitations.complete(elicitationId, store);
  for (const _ of [1, 2]) {
    expect(await remove()).toMatchObject({ status: 200, body: { success: true } });
    expect(await credentials.get("tracker", "ada")).toBeUndefined();
    expect((await read()).body).toEqual({ connected: false });
  }
});

test("the account is removed while its provider cannot be reached, and the reply says that it was not revoked", async () => {
  const { runtime, elicitationId, credentials, store, remove } = await connected(CONNECT, () =>
    Promise.reject(new Error("down")),
  );
  await runtime.elicitations.complete(elicitationId, store);
  expect((await remove()).body).toEqual({ success: true, revoked: false });
  expect(await credentials.get("tracker", "ada")).toBeUndefined();
  expect(runtime.errors).toHaveLength(1);
});

test("another user, a stranger and another site neither see nor remove the account", async () => {
  const { runtime, elicitationId, credentials, store, read, remove } = await connected();
  await runtime.elicitations.complete(elicitationId, store);
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  expect([(await read(bob)).status, (await remove(bob)).status]).toEqual([404, 404]);
  const stranger = createChatClient(runtime.fetch, {});
  expect([(await read(stranger)).status, (await remove(stranger)).status]).toEqual([401, 401]);
  const forged = await remove(undefined, {
    body: {},
    headers: { authorization: "", cookie: "user=ada", origin: "https://evil.example" },
  });
  expect(forged.status).toBe(403);
  expect(await credentials.get("tracker", "ada")).toBeDefined();
});

test("the request of a form and one that the user has declined have no account", async () => {
  const form = await connected(CITY);
  const content = { city: "Lisbon" };
  await form.ada.answer("c1", { elicitationId: form.elicitationId, action: "accept", content });
  const declined = await connected();
  await declined.runtime.elicitations.decline(declined.elicitationId);
  for (const { store, read, remove } of [form, declined]) {
    await store();
    expect([(await read()).status, (await remove()).status]).toEqual([404, 404]);
  }
});
