import type { ConformanceTarget } from "./target.ts";
import { type TestContext, createTestContext } from "./test-context.ts";
import { Nonconformity, NotChecked, causeOf, visibleText } from "./reply.ts";

/**
 * How much of the contract a server implements. `basic`: the stream, the header and the answer route, which is enough for
 * a chat that is not reloaded. `full`: also the status, the list, re-attaching, rounds, vouching and limits.
 */
export type ConformanceLevel = "basic" | "full";

/** One rule of the contract, and the check that a server keeps it. */
export interface ConformanceRule {
  /** A stable id, for reports and for `--only`: `answers/same-again`. */
  readonly id: string;
  /** What a conforming server does. */
  readonly rule: string;
  /** Throws when the server breaks the rule, or when the rule cannot be checked. */
  run(context: TestContext): Promise<void>;
}

/** A rule, and the level that it belongs to. A server of the full level must follow the rules of both. */
export interface ConformanceCase extends ConformanceRule {
  readonly level: ConformanceLevel;
}

/** The result of one case. `not-checked` is never a pass: `detail` names the hook that the check needs. */
export type CaseResult = Readonly<{ id: string; rule: string }> &
  ({ readonly status: "passed" } | { readonly status: "failed" | "not-checked"; readonly detail: string });

/** Checks one rule. Afterwards no turn of the check is open and no stream is read. Never rejects. */
export async function runCase(testCase: ConformanceRule, target: ConformanceTarget): Promise<CaseResult> {
  const { id, rule } = testCase;
  const context = createTestContext(target);
  try {
    await testCase.run(context);
    return { id, rule, status: "passed" };
  } catch (error) {
    const status = error instanceof NotChecked ? "not-checked" : "failed";
    return { id, rule, status, detail: visibleText(describeFailure(error)) };
  } finally {
    await context.close();
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof Nonconformity || error instanceof NotChecked) return error.message;
  return `the check broke off: ${String(error)}${causeOf(error)}`;
}
