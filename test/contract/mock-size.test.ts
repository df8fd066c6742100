import { expect, it } from "vitest";
import { measureSizes } from "../../bench/sizes.ts";

it("a mock server adds at most 30 KiB to what MSW loads anyway, minified and gzipped", async () => {
  const size = (await measureSizes()).find(({ name }) => name === "mock server");
  expect(size?.limit).toBe(30 * 1024);
  expect(size?.gzip).toBeLessThanOrEqual(30 * 1024);
});
