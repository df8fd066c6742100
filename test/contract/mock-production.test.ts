import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { createMockServer, scenarios } from "elicit-kit/mock-server";
import { startMockServer } from "elicit-kit/mock-server/node";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const REFUSAL = "elicit-kit: the mock server signs everybody in as the same user";

afterEach(() => vi.unstubAllEnvs());

describe("a mock server under NODE_ENV=production", () => {
  beforeEach(() => vi.stubEnv("NODE_ENV", "production"));

  it("does not start, neither as handlers nor on a port", async () => {
    expect(() => createMockServer(scenarios.connect)).toThrow(REFUSAL);
    await expect(startMockServer(scenarios.connect)).rejects.toThrow(REFUSAL);
  });

  it("does not start with a custom authenticate, or if allowInProduction is not exactly true", () => {
    const options = { ...scenarios.connect, authenticate: () => undefined };
    expect(() => createMockServer(options)).toThrow(REFUSAL);
    expect(() => createMockServer({ ...options, allowInProduction: false })).toThrow(REFUSAL);
  });

  it("starts if allowInProduction is true", async () => {
    const allowed = { ...scenarios.connect, allowInProduction: true };
    await createMockServer(allowed).close();
    const server = await startMockServer(allowed);
    expect((await fetch(`${server.api}/elicitations?conversationId=c`)).status).toBe(200);
    await server.close();
  });
});

describe("a page that contains the mock server", () => {
  /** The error in a page without `process`, built for `mode`. */
  async function refusalIn(mode: string | undefined): Promise<unknown> {
    const bundle = await build({
      entryPoints: [fileURLToPath(new URL("../../mock-server/production.ts", import.meta.url))],
      bundle: true,
      write: false,
      format: "iife",
      globalName: "built",
      ...(mode !== undefined && { define: { "process.env.NODE_ENV": JSON.stringify(mode) } }),
    });
    const code = bundle.outputFiles[0]?.text ?? "";
    const attempt = "try { built.refuseInProduction(); null } catch (error) { error.message }";
    return runInNewContext(`${code}\n${attempt}`);
  }

  it.each([
    ["production", expect.stringContaining(REFUSAL)],
    ["development", null],
    [undefined, null],
  ])("refuses to run only if it was built for production: %s", async (mode, refusal) => {
    expect(await refusalIn(mode)).toEqual(refusal);
  });
});
