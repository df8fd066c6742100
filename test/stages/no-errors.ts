import { expect, onTestFinished } from "vitest";

/**
 * An `onError` for a test without internal errors: the test fails at its end if there was one. The kit catches what an
 * `onError` throws, so it cannot fail the test itself.
 */
export function noErrors(): (error: unknown) => void {
  const errors: unknown[] = [];
  onTestFinished(() => expect(errors).toEqual([]));
  return (error) => void errors.push(error);
}
