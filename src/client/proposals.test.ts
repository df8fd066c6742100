import { expect, it } from "vitest";
import { createDeferred } from "../base/deadlines.ts";
import { formRequest } from "../contract/testing/requests.ts";
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
