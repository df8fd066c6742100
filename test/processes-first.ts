import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Runs the tests that start processes first: their files are short but take longest. On a fresh clone Vitest knows no
 * durations and starts with the largest files, so the longest tests came last, with most workers idle.
 */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's sort returns a new array
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(startsProcesses(b)) - Number(startsProcesses(a)));
  }
}

function startsProcesses({ moduleId }: TestSpecification): boolean {
  return /\/test\/durable\/|\/stdio\.test\.ts$/.test(moduleId);
}
