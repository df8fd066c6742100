import { defineConfig } from "@playwright/test";

/** Runs the popup matrix alone. Browser options are in the spec: it needs them wherever it runs. */
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
