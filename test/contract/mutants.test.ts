import { conformanceCases, runCase } from "elicit-kit/conformance";
import { describe, expect, it } from "vitest";
import { completionsHook, contractHooks } from "./contract-options.ts";
import { accessMutants } from "./mutants/access-mutants.ts";
import { answerMutants } from "./mutants/answer-mutants.ts";
import { basicMutants } from "./mutants/basic-mutants.ts";
import { completionsMutants } from "./mutants/completions-mutants.ts";
import { startMutant } from "./mutants/mutant.ts";
import { backgroundMutants } from "./mutants/background-mutants.ts";
import { reviewMutants } from "./mutants/review-mutants.ts";
import { streamMutants } from "./mutants/stream-mutants.ts";

/** Short, because the cases wait here for replies that a broken server never sends. */
const PATIENCE_MS = 250;

describe("the contract suite", () => {
  const mutants = [
    ...basicMutants,
    ...streamMutants,
    ...answerMutants,
    ...accessMutants,
    ...reviewMutants,
    ...backgroundMutants,
    ...completionsMutants,
  ];
  const caught = mutants.flatMap((mutant) => mutant.caughtBy.map((id) => ({ ...mutant, id })));

  it.each(caught)("detects, by the rule $id, a server that $wrong", async ({ id, ...mutant }) => {
    const { server, fetch, hooks } = startMutant(mutant);
    const testCase = conformanceCases.find((each) => each.id === id)!;
    const target = {
      api: "http://mutant.test/run/api",
      fetch,
      hooks: { ...contractHooks, ...completionsHook("http://mutant.test"), ...hooks },
      patienceMs: PATIENCE_MS,
    };
    const result = await runCase(testCase, target);
    await server.close();
    expect(result).toMatchObject({ status: "failed", detail: expect.not.stringContaining("broke off") });
  });

  it("has a server that is broken on purpose for every rule", () => {
    const ids = new Set(caught.map(({ id }) => id));
    expect(conformanceCases.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
  });
});
