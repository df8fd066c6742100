import { conformanceCases, runCase } from "elicit-kit/conformance";
import { createMockServer } from "elicit-kit/mock-server";
import { afterAll, describe, expect, it } from "vitest";
import { contractAgent, contractHooks, outsideHooks } from "./contract-agent.ts";

const server = createMockServer(contractAgent);
afterAll(() => server.close());
const target = {
  api: "http://mock.test/run/api",
  fetch: server.fetch,
  hooks: { ...contractHooks, ...outsideHooks(server) },
  patienceMs: 2_000,
};

describe("the mock server in Node", () => {
  it.each(conformanceCases)("$id: $rule", async (testCase) => {
    const { id, rule } = testCase;
    const result = await runCase(testCase, target);
    const expected = id.startsWith("completions/")
      ? { id, rule, status: "not-checked", detail: 'needs the hook "completions"' }
      : { id, rule, status: "passed" };
    expect(result).toEqual(expected);
  });
});
