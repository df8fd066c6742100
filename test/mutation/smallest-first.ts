import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Runs the smallest files first. What they detect, the tests of whole turns in large files need not try again, and those
 * take longest for each mutant.
 */
export class SmallestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = new Map(files.map(({ moduleId }) => [moduleId, statSync(moduleId).size]));
    const sizeOf = ({ moduleId }: TestSpecification) => sizes.get(moduleId) ?? 0;
    return files.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  }
}
