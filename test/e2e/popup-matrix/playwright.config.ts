import { defineConfig } from "@playwright/test";

/** Runs only the popup matrix. Browser options are in the spec, which needs them in every run. */
export default defineConfig({
  testDir: "..",
  testMatch: "popup-matrix.spec.ts",
  outputDir: "../../../node_modules/.cache/popup-matrix",
  fullyParallel: true,
  workers: 2,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: "list",
});
