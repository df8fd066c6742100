import { fileURLToPath } from "node:url";
import { storybookTest } from "@storybook/addon-vitest/vitest-plugin";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { msw } from "msw/vite";
import { defineConfig } from "vitest/config";
import { chromiumLaunchOptions } from "./tools/chromium.mjs";
import { patience } from "./test/patience.ts";
import { ProcessesFirst } from "./test/processes-first.ts";
import { reactCompiler } from "./tools/react-compiler.ts";
import { tags } from "./test/tags.ts";
import { sourceAlias } from "./tools/source-alias.mjs";

/** A new object for each project, because Vitest writes the project's name into it. */
const inChromium = () => ({
  enabled: true,
  // Disables animations: a new card fades in, and tests must not depend on the progress.
  provider: playwright({
    launchOptions: chromiumLaunchOptions(),
    contextOptions: { reducedMotion: "reduce" },
  }),
  headless: true,
  screenshotFailures: false,
  instances: [{ browser: "chromium" as const }],
});

/** A property test with many more cases than usual takes minutes by itself. */
const manyCases = process.env["FC_RUNS"] === undefined ? {} : { testTimeout: 1_800_000 };

const patient = { ...patience, ...manyCases };

/** A worker keeps its modules from one file to the next, because most of the time would go into loading them again. */
const tidy = { ...patient, isolate: false };

const react18 = fileURLToPath(new URL("test/fixtures/react-18/node_modules/", import.meta.url));
const testingLibrary = fileURLToPath(
  new URL("node_modules/@testing-library/react/dist/@testing-library/react.esm.js", import.meta.url),
);

const storybookDir = fileURLToPath(new URL(".storybook", import.meta.url));

/** What a page loads with its first request. */
const lateCode = ["test/late-desk.setup.ts", "test/late-cards.setup.ts"];

/** Tests import source files by their public names, as users write them. */
const resolve = { alias: sourceAlias };

/** Vite bundles these before the first test. A dependency that it finds later would reload the page during a test. */
const inTheBrowser = [
  "@ag-ui/client",
  "@agentclientprotocol/sdk",
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/ext-apps/app-bridge",
  "@modelcontextprotocol/server",
  "@ai-sdk/react",
  "@radix-ui/react-dialog",
  "@testing-library/react",
  "ai",
  "axe-core",
  "hono/tiny",
  "msw",
  "msw/browser",
  "react-dom",
  "react-dom/client",
  "react/jsx-dev-runtime",
  "react/jsx-runtime",
  "zod/mini",
  "zod/v4/core",
];

export default defineConfig({
  test: {
    sequence: { sequencer: ProcessesFirst },
    tags,
    coverage: {
      provider: "v8",
      include: ["{src,extras,mock-server}/**/*.{ts,tsx}"],
      exclude: ["**/*.test-d.ts"],
      reporter: ["text-summary", "json-summary", "text"],
    },
    projects: [
      {
        resolve,
        test: {
          name: "node",
          ...tidy,
          setupFiles: ["test/waits.setup.ts", "test/late-desk.setup.ts"],
          environment: "node",
          include: [
            "{src,extras,mock-server}/**/*.test.ts",
            "demo/**/*.test.ts",
            "tools/**/*.test.ts",
            "bench/**/*.test.ts",
            "test/{ai-sdk,contract,field,guide,mutation,simulation}/**/*.test.ts",
          ],
          exclude: ["**/*.{dom,browser}.test.ts", "**/node_modules/**", "extras/{durable,postgres,dbos}/**"],
        },
      },
      {
        // These tests use a server that test/postgres.setup.ts starts.
        resolve,
        test: {
          name: "postgres",
          ...tidy,
          setupFiles: "test/waits.setup.ts",
          environment: "node",
          include: ["extras/{durable,postgres,dbos}/**/*.test.ts", "test/durable/**/*.test.ts"],
          globalSetup: "test/postgres.setup.ts",
        },
      },
      {
        // These tests use other companies' servers and clients.
        resolve,
        test: {
          name: "interop",
          ...tidy,
          setupFiles: ["test/waits.setup.ts", "test/late-desk.setup.ts"],
          environment: "node",
          include: ["test/interop/**/*.test.ts"],
        },
      },
      {
        // Tests of the packed package; needs a build.
        test: { name: "package", ...patient, include: ["test/package/**/*.test.ts"] },
      },
      {
        resolve,
        plugins: [react()],
        test: {
          name: "dom",
          ...tidy,
          setupFiles: [
            "test/waits.setup.ts",
            "test/testing-library.setup.ts",
            "test/bare-text.setup.ts",
            ...lateCode,
          ],
          environment: "happy-dom",
          include: [
            "{src,extras}/**/*.test.tsx",
            "{src,extras}/**/*.dom.test.ts",
            "test/{ai-sdk,field,guide}/**/*.test.tsx",
          ],
          exclude: ["**/*.browser.test.tsx", "**/node_modules/**"],
        },
      },
      {
        // The tests of the React module again, on the oldest React that the kit supports.
        resolve: {
          alias: [
            ...sourceAlias,
            { find: /^react(?=$|\/)/, replacement: `${react18}react` },
            { find: /^react-dom(?=$|\/)/, replacement: `${react18}react-dom` },
            // The CommonJS file of this package would import React from Node.js and bypass the aliases.
            { find: /^@testing-library\/react$/, replacement: testingLibrary },
          ],
        },
        plugins: [react()],
        test: {
          name: "react-18",
          ...patient,
          setupFiles: ["test/waits.setup.ts", "test/testing-library.setup.ts", ...lateCode],
          environment: "happy-dom",
          include: ["src/react/**/*.test.tsx"],
          server: { deps: { inline: [/@testing-library\/react/, /@radix-ui/, /react-remove-scroll/] } },
        },
      },
      {
        // The tests again with React Compiler, which caches the values that a component reads from a mutable object.
        resolve,
        plugins: [reactCompiler(), react()],
        test: {
          name: "compiled",
          ...patient,
          setupFiles: ["test/waits.setup.ts", "test/testing-library.setup.ts", ...lateCode],
          environment: "happy-dom",
          include: ["src/react/**/*.test.tsx"],
        },
      },
      {
        resolve,
        plugins: [react(), msw({ mode: "worker-only" })],
        optimizeDeps: { include: inTheBrowser },
        // The conformance hooks of the guide, which the tests share, read the server's URL from it.
        define: { "process.env.SERVER": "undefined" },
        test: {
          name: "browser",
          ...patient,
          include: ["test/browser/**/*.test.{ts,tsx}", "test/field/**/*.browser.test.{ts,tsx}"],
          globalSetup: ["test/ai-sdk/serve-agent.ts", "test/browser/serve-ag-ui.ts"],
          browser: inChromium(),
        },
      },
      {
        resolve,
        plugins: [storybookTest({ configDir: storybookDir })],
        optimizeDeps: { include: inTheBrowser },
        test: { name: "stories", ...patient, browser: inChromium() },
      },
    ],
  },
});
