import { vi } from "vitest";
import { patience } from "./patience.ts";

/**
 * `vi.waitFor` and `vi.waitUntil` give up after one second, and no setting of Vitest changes that. A worker runs this file
 * again for each test file.
 */
const { waitFor, waitUntil } = vi;
const { timeout } = patience.expect.poll;

if (!("arePatient" in vi)) {
  Object.assign(vi, {
    arePatient: true,
    waitFor: (look: () => unknown, options: object) => waitFor(look, { timeout, ...options }),
    waitUntil: (look: () => unknown, options: object) => waitUntil(look, { timeout, ...options }),
  });
}
