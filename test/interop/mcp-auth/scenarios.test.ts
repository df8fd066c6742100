/** Official scenarios, one of each kind. `npm run test:long -- mcp-auth` runs all, in both revisions. */
import { expect, test } from "vitest";
import { run } from "./scenarios.ts";

test.each([
  "metadata-default",
  "basic-cimd",
  "scope-step-up",
  "authorization-server-migration",
  "iss-supported",
  "metadata-issuer-mismatch",
  "enterprise-managed-authorization",
])("MCP's own conformance suite accepts how a user signs in: %s", async (name) => {
  // With the output, which says what the suite has missed.
  expect(await run(name, "2026-07-28")).toMatchObject({ passed: true });
});
