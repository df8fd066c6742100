import { expect, onTestFinished, test, vi } from "vitest";
import { toolClient } from "./tools.ts";

test("the server of docs/protocols/mcp-tools.md asks clients of each revision, and continues with the answer", async () => {
  vi.stubEnv("PORT", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.spyOn(console, "log").mockReturnValue();
  const { server } = await import("../../../docs/examples/mcp-deploy-server.ts");
  onTestFinished(() => server.close());
  for (const era of ["2025-06-18", "2025-11-25", "2026-07-28"] as const) {
    const asked: unknown[] = [];
    const client = await toolClient(`${server.url}/mcp`, era, {
      answer: ({ message }) => {
        asked.push(message);
        return { action: "accept", content: { answer: "staging" } };
      },
    });
    const { text } = await client.call("deploy", { app: "shop" });
    expect(text).toBe("Deployed shop to staging.");
    expect(asked).toEqual(["Where to deploy build 41?"]);
  }
});
