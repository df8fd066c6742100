import { conformanceCases, runCase } from "elicit-kit/conformance";
import { createMockServer } from "elicit-kit/mock-server";
import { afterAll, describe, expect, it } from "vitest";
import { completionsHook, contractAgent, contractHooks, outsideHooks } from "./contract-agent.ts";

const server = createMockServer(contractAgent);
afterAll(() => server.close());
const target = {
  api: "http://mock.test/run/api",
  fetch: server.fetch,
  hooks: { ...contractHooks, ...completionsHook("http://mock.test"), ...outsideHooks(server) },
  patienceMs: 2_000,
};

describe("the mock server in Node", () => {
  it.each(conformanceCases)("$id: $rule", async (testCase) => {
    const { id, rule } = testCase;
    expect(await runCase(testCase, target)).toEqual({ id, rule, status: "passed" });
  });
});
