import type { TestProject } from "vitest/node";
import { createAgUiSurface } from "../../extras/ag-ui/serve/index.ts";
import { createRuntime } from "../../src/runtime/index.ts";
import { serve } from "../../src/node/index.ts";
import { authenticateTestUser } from "../stages/chat-client.ts";
import { CITY, asking } from "../stages/test-runtime.ts";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * The URL of AG-UI endpoints, on an origin other than the page's: `/open` for pages of every origin, `/own` for pages
     * of its own origin, such as `/page`, which starts a run there and reports the status to its parent.
     */
    agUiUrl: string;
  }
}

const PAGE = `<!doctype html><script type="module">
const { status } = await fetch("/own", {
  method: "POST",
  headers: { "content-type": "application/json", authorization: "Bearer ada" },
  body: JSON.stringify({ threadId: crypto.randomUUID(), runId: crypto.randomUUID(), messages: [] }),
});
parent.postMessage({ status }, "*");
</script>`;

/** Serves an agent over AG-UI while tests run in a browser. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const onError = (error: unknown): void => {
    throw error;
  };
  const runtime = createRuntime({
    runTurn: asking(CITY),
    authenticate: authenticateTestUser,
    allowedOrigins: [],
    onError,
  });
  const shared = { runtime, authenticate: authenticateTestUser, onError };
  const endpoints: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
    "/open": createAgUiSurface({ ...shared, allowedOrigins: () => true }).fetch,
    "/own": createAgUiSurface(shared).fetch,
    "/page": async () => new Response(PAGE, { headers: { "content-type": "text/html" } }),
  };
  const { url, close } = await serve({
    fetch: async (request) =>
      endpoints[new URL(request.url).pathname]?.(request) ?? new Response(null, { status: 404 }),
  });
  project.provide("agUiUrl", url);
  return async () => {
    await runtime.close();
    await close();
  };
}
