import { type Visit, visitServer } from "./visit.ts";
import type { ConformanceTarget } from "./target.ts";
import { NotChecked, Nonconformity } from "./verdict.ts";
import { visibleText } from "./visible-text.ts";

/** One rule of the contract, and how to find out whether a server keeps it. */
export interface ConformanceCase {
  /** Stable, for reports and exclusions: `answers/same-again`. */
  readonly id: string;
  /** What a conforming server does. */
  readonly rule: string;
  /** Throws what is wrong. */
  run(visit: Visit): Promise<void>;
}

/** What was found out. `not-checked` is never a pass: `detail` says which hook would have made the check possible. */
export type CaseResult = Readonly<{ id: string; rule: string }> &
  ({ readonly status: "passed" } | { readonly status: "failed" | "not-checked"; readonly detail: string });

/** Checks one rule and leaves the server as it was: no turn stays open, no stream is read on. Never rejects. */
export async function runCase(testCase: ConformanceCase, target: ConformanceTarget): Promise<CaseResult> {
  const { id, rule } = testCase;
  const visit = visitServer(target);
  try {
    await testCase.run(visit);
    return { id, rule, status: "passed" };
  } catch (error) {
    const status = error instanceof NotChecked ? "not-checked" : "failed";
    return { id, rule, status, detail: visibleText(describeFailure(error)) };
  } finally {
    await visit.leave();
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof Nonconformity || error instanceof NotChecked) return error.message;
  // A server that hangs up, or an API address that is wrong: `fetch` says why in the cause.
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `the check broke off: ${String(error)}${cause}`;
}
