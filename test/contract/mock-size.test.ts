import { expect, it } from "vitest";
import { bundle } from "../../bench/sizes.ts";

const MSW = 'export { http, HttpResponse } from "msw"; export { setupWorker } from "msw/browser";';
const MOCK_SERVER = 'export { createMockServer, scenarios } from "./mock-server/index.ts";';

it("a mock server adds at most 68 KiB to the size of MSW, minified and gzipped", async () => {
  const [alone, both] = [await bundle(MSW, "ts"), await bundle(MSW + MOCK_SERVER, "ts")];
  const addedKiB = (both - alone) / 1024;
  expect(addedKiB).toBeLessThanOrEqual(68);
  // A smaller size would mean that the runtime is missing, and that this measures nothing.
  expect(addedKiB).toBeGreaterThan(25);
});
