import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test, vi } from "vitest";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { createMcpProcesses } from "./mcp-processes.ts";

// Tests with real processes are in test/interop/mcp/stdio.test.ts.

test("a build for an edge runtime contains no Node module and no code that starts processes", async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL("../index.ts", import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    conditions: ["workerd", "worker"],
    logLevel: "silent",
  });
  const files = Object.keys(metafile.inputs);
  expect(files).toContain("src/agent/mcp/mcp-processes.ts");
  expect(files.some((file) => file.includes("@modelcontextprotocol/client"))).toBe(true);
  expect(files.filter((file) => /cross-spawn|stdio\.mjs$/.test(file))).toEqual([]);
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  expect(imports.filter((path) => path.startsWith("node:"))).toEqual([]);
});

test("without Node.js, a server with a command fails, and the error says what to do instead", async () => {
  vi.doMock("@modelcontextprotocol/client/stdio", () => {
    throw new Error("No such module: node:child_process");
  });
  const { signal } = new AbortController();
  const server = { name: "srv", service: "Survey", command: "survey" };
  const call = { user: { id: "ada" }, capabilities: {}, env: {}, alone: true, signal };
  const used = createMcpProcesses(createManualClock()).use(server, call, async () => "");
  await expect(used).rejects.toThrow(/needs Node\.js.*reach the server by its `url`/);
});

test("no process starts after the runtime is closed", async () => {
  const processes = createMcpProcesses(createManualClock());
  await processes.close();
  const { signal } = new AbortController();
  const server = { name: "srv", service: "Survey", command: "survey" };
  const call = { user: { id: "ada" }, capabilities: {}, env: {}, alone: true, signal };
  await expect(processes.use(server, call, async () => "")).rejects.toThrow("the runtime is closed");
});
