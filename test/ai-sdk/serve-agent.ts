import type { TestProject } from "vitest/node";
import { serve } from "../../src/node/index.ts";
import { createAgentServer } from "./agent-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the agent for browser tests, on an origin other than the page's. */
    agentUrl: string;
  }
}

/** Serves the agent over HTTP while tests run in a browser. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { fetch, runtime } = createAgentServer();
  const { url, close } = await serve({ fetch });
  project.provide("agentUrl", url);
  return async () => {
    await runtime.close();
    await close();
  };
}
