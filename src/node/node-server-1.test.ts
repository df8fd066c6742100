import { expect, test, vi } from "vitest";

// An app may have the oldest version that the kit supports: Mastra and the first MCP SDK depend on it.
vi.mock("@hono/node-server", () => import("@hono/node-server-1"));

test("these tests use version 1 of @hono/node-server, the oldest that the kit supports", async () => {
  const { createAdaptorServer } = await import("@hono/node-server");
  expect(createAdaptorServer).toBe((await import("@hono/node-server-1")).createAdaptorServer);
});

// Another file of this worker may have loaded these tests, and the modules that they test, with the newer version.
vi.resetModules();
await import("./serve.test.ts");
await import("./hostile-clients.test.ts");
