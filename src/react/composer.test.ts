import { expect, it } from "vitest";
import { createScript } from "../client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import type { ElicitationRequest } from "../contract/contract.ts";
import { createBinder } from "./bound-elicitation.ts";
import { composerOf } from "./composer.ts";

function composerFor(...requests: readonly ElicitationRequest[]) {
  const { client } = createScript({ requests, propose: () => ({ city: "Lisbon" }) });
  const bound = () => client.getSnapshot().items.map(createBinder(client));
  return { ...composerOf(bound()), bound };
}

it("the composer has no hint while no request waits", () => {
  expect(composerFor()).toMatchObject({ hint: undefined, propose: undefined });
});

it("the composer says that a message withdraws the waiting requests", () => {
  expect(composerFor(urlRequest())).toMatchObject({
    hint: "A message withdraws the question.",
    propose: undefined,
  });
});

it("a message in the composer fills in the first form that accepts a sentence", async () => {
  const form = formRequest({ context: { trigger: "tool", takesSentence: true } });
  const { hint, propose, bound } = composerFor(urlRequest(), form);
  expect(hint).toBe("A message fills in the form. You send it.");
  expect(await propose?.("Lisbon")).toBe(true);
  expect(bound()[1]?.proposal).toEqual({ state: "filled", content: { city: "Lisbon" } });
});

it("a sentence fills in nothing in a form that asks for a secret, even if the server offers that", async () => {
  const requestedSchema = { type: "object", properties: { password: { type: "string" } } } as const;
  const form = formRequest({ requestedSchema, context: { trigger: "tool", takesSentence: true } });
  const { client } = createScript({ requests: [form], propose: () => ({ password: "hunter2" }) });
  expect(await client.propose(form.elicitationId, "It is hunter2")).toBe(false);
});
