import { conformanceCases, runCase } from "elicit-kit/conformance";
import { createMockServer } from "elicit-kit/mock-server";
import { afterAll, describe, expect, it } from "vitest";
import { patience } from "../patience.ts";
import { contractAgent } from "./contract-agent.ts";
import { completionsHook, contractHooks, outsideHooks } from "./contract-options.ts";

const server = createMockServer(contractAgent);
afterAll(() => server.close());
const target = {
  api: "http://mock.test/run/api",
  fetch: server.fetch,
  hooks: { ...contractHooks, ...completionsHook("http://mock.test"), ...outsideHooks(server) },
  patienceMs: patience.expect.poll.timeout,
};

describe("the mock server in Node", () => {
  it.each(conformanceCases)("$id: $rule", async (testCase) => {
    const { id, rule } = testCase;
    expect(await runCase(testCase, target)).toEqual({ id, rule, status: "passed" });
  });
});
