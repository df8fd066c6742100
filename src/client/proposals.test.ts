import { describe, expect, it } from "vitest";
import { createDeferred } from "../base/deadlines.ts";
import type { ElicitationRequest } from "../contract/contract.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import { createElicitationClient } from "./create-client.ts";
import { FakeChannel } from "./testing/fake-channel.ts";
import { createScript } from "./testing/scripted-client.ts";

const form = formRequest({ context: { trigger: "tool", takesSentence: true } });
const id = form.elicitationId;

it("a sentence fills in nothing when the user has sent a later sentence", async () => {
  const replies = [createDeferred<unknown>(), createDeferred<unknown>()];
  let asked = 0;
  const { client } = createScript({ requests: [form], propose: () => replies[asked++]?.promise });
  const first = client.propose(id, "Rome");
  const second = client.propose(id, "Lisbon");
  replies[0]?.resolve({ city: "Rome" });
  expect(await first).toBe(false);
  replies[1]?.resolve({ city: "Lisbon" });
  expect(await second).toBe(true);
  expect(client.getSnapshot().items[0]?.proposal).toEqual({ state: "filled", content: { city: "Lisbon" } });
});

it("a sentence fills in nothing when the form was answered in the meantime", async () => {
  const reply = createDeferred<unknown>();
  const { client } = createScript({ requests: [form], propose: () => reply.promise });
  const filled = client.propose(id, "Rome");
  await client.decline(id);
  reply.resolve({ city: "Rome" });
  expect(await filled).toBe(false);
});

it.each<[string, unknown, string, object]>([
  ["values", { city: "Lisbon", other: 1 }, "Lisbon", { state: "filled", content: { city: "Lisbon" } }],
  ["nothing that fits", { other: 1 }, "Hello", { state: "nothing" }],
  ["nothing", undefined, "Hello", { state: "nothing" }],
])("a user who writes a sentence sees that it is read, and then %s", async (_, proposed, text, shown) => {
  const { client } = createScript({ requests: [form], propose: () => proposed });
  const filled = client.propose(id, text);
  expect(client.getSnapshot().items[0]?.proposal).toEqual({ state: "asking" });
  expect(await filled).toBe("content" in shown);
  expect(client.getSnapshot().items[0]?.proposal).toEqual(shown);
});

it("a user sees that a sentence could not be read", async () => {
  const propose = () => Promise.reject(new TypeError("offline"));
  const { client } = createScript({ requests: [form], propose });
  expect(await client.propose(id, "Lisbon")).toBe(false);
  expect(client.getSnapshot().items[0]?.proposal).toEqual({ state: "failed" });
});

it.each<[string, ElicitationRequest, string]>([
  ["an empty sentence", form, " \n"],
  ["a form that takes none", formRequest(), "Lisbon"],
  ["a page", urlRequest({ elicitationId: id, context: { trigger: "tool", takesSentence: true } }), "Lisbon"],
])("the server is not asked to read %s", async (_, request, text) => {
  let asked = 0;
  const { client } = createScript({ requests: [request], propose: () => (asked += 1) });
  expect(await client.propose(id, text)).toBe(false);
  expect(asked).toBe(0);
  expect(client.getSnapshot().items[0]?.proposal).toBeUndefined();
});

describe("a remembered answer", () => {
  const at = "2026-11-21T12:00:00Z";
  const answered = formRequest({ resolution: { outcome: "accepted", at, remembered: "r1" } });
  it.each<[string, ElicitationRequest, boolean | undefined, readonly string[]]>([
    ["is forgotten when the user asks for it", answered, undefined, ["r1"]],
    ["stays if the server cannot forget it now", answered, true, []],
    ["is not there when the user has answered", formRequest(), undefined, []],
  ])("%s", async (_, request, forgetFails, forgotten) => {
    const script = createScript({ requests: [request], forgetFails });
    expect(await script.client.forget(id)).toBe(forgotten.length > 0);
    expect(script.forgotten).toEqual(forgotten);
  });

  it("stays if the server forgets no answers", async () => {
    const channel = new FakeChannel();
    Object.defineProperty(channel, "forget", { value: undefined });
    const client = createElicitationClient({ channel, storage: null });
    client.receive("c1", answered);
    expect(await client.forget(id)).toBe(false);
  });
});
