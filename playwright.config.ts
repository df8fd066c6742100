import { defineConfig } from "@playwright/test";
import { patience } from "./test/patience.ts";
import { chromiumLaunchOptions } from "./tools/chromium.mjs";

/** End-to-end tests: the real demo in a real browser. `test/e2e/demo.ts` starts the demo for each test. */
export default defineConfig({
  testDir: "test/e2e",
  // Specs take the kit from dist, as its users do, and not from its source files.
  tsconfig: "test/e2e/tsconfig.playwright.json",
  globalSetup: "./test/e2e/build.ts",
  fullyParallel: true,
  // More workers than the two cores of CI, because tests mostly wait.
  workers: 3,
  forbidOnly: true,
  timeout: patience.testTimeout,
  // Well below what a CI run may take: a hanging browser must not use it all up.
  globalTimeout: 25 * 60_000,
  expect: { timeout: patience.expect.poll.timeout },
  reporter: "list",
  use: {
    launchOptions: chromiumLaunchOptions(),
    // With "only-on-failure", Playwright takes a screenshot at the end of every test, in case its teardown fails.
    screenshot: "off",
    trace: "off",
    video: "off",
    // Drawing animations would take much of the time of two cores. showcase.spec.ts runs with motion.
    contextOptions: { reducedMotion: "reduce" },
    // Where the global set-up serves the app of docs/testing/mock-server.md. The other specs start what they need and name it.
    baseURL: process.env["GUIDE_URL"],
  },
});
