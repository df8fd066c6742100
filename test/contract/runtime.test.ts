import { conformanceCases, runCase } from "elicit-kit/conformance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patience } from "../patience.ts";
import { completionsHook, contractHooks } from "./contract-options.ts";
import { type ServedContractRuntime, startContractRuntime } from "./serve-contract-runtime.ts";

describe("the runtime over HTTP", () => {
  let server: ServedContractRuntime;
  beforeAll(async () => {
    server = await startContractRuntime();
  });
  afterAll(() => server.close());

  it.each(conformanceCases)("$id: $rule", async (testCase) => {
    const { id, rule } = testCase;
    const { elicitations } = server.runtime;
    const hooks = {
      ...contractHooks,
      ...completionsHook(server.url),
      completeOutside: async (elicitationId: string) => void (await elicitations.complete(elicitationId)),
      failOutside: async (elicitationId: string, lastError: string) =>
        void (await elicitations.fail(elicitationId, lastError)),
    };
    const result = await runCase(testCase, {
      api: `${server.url}/run/api`,
      hooks,
      patienceMs: patience.expect.poll.timeout,
    });
    expect(result).toEqual({ id, rule, status: "passed" });
  });

  it("reports no error after all cases", () => {
    expect(server.errors).toEqual([]);
  });
});
