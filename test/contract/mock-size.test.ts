import { expect, it } from "vitest";
import { bundle } from "../../bench/sizes.ts";

const MSW = 'export { http, HttpResponse } from "msw"; export { setupWorker } from "msw/browser";';
const MOCK_SERVER = 'export { createMockServer, scenarios } from "./mock-server/index.ts";';

it("a mock server adds at most 59 KiB to what MSW loads anyway, minified and gzipped", async () => {
  const [alone, both] = [await bundle(MSW, "ts"), await bundle(MSW + MOCK_SERVER, "ts")];
  const addedKiB = (both - alone) / 1024;
  expect(addedKiB).toBeLessThanOrEqual(59);
  // Less would mean that the runtime is not in it, and that this measures nothing.
  expect(addedKiB).toBeGreaterThan(25);
});
