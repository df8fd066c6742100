import type { TestProject } from "vitest/node";
import { serve } from "../../src/hosts/node/index.ts";
import { createAgentServer } from "./agent-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the agent of the browser tests listens, on an origin other than the page's. */
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
