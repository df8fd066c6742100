/**
 * `elicit-kit/mock-server/node`: a mock server on its own port, for browsers in tests and for other processes. Needs
 * `msw` and `@hono/node-server`: `npm install --save-dev msw @hono/node-server`.
 */
import { type MockServer, type MockServerOptions, createMockServer } from "./mock-server.ts";
import { refuseInProduction } from "./production.ts";
import { serve } from "../src/node/index.ts";
import connectHtml from "./connect.html?raw";

/** A mock server that listens on a port. Close it when the tests are done. */
export interface StartedMockServer extends MockServer {
  /** Such as `http://127.0.0.1:4100`. */
  readonly url: string;
  /** Base URL of the contract's routes: the `api` of `createElicitation`. */
  readonly api: string;
}

const CONNECT_PATH = "/auth/connect";

/**
 * Starts a mock server on a free port of 127.0.0.1, with the page that URL requests open. A chat of another origin may
 * call it if that origin is on this machine or in `allowedOrigins`. Needs the package `@hono/node-server`. Rejects under
 * `NODE_ENV=production` unless `allowInProduction` is set; it does not listen then.
 */
export async function startMockServer(
  options: Omit<MockServerOptions, "connectPage">,
): Promise<StartedMockServer> {
  refuseInProduction(options.allowInProduction);
  let server: MockServer | undefined;
  const served = await serve({
    async fetch(request) {
      if (request.method === "GET" && new URL(request.url).pathname === CONNECT_PATH)
        return page(request.url);
      return (await server?.respond(request)) ?? new Response("Not found", { status: 404 });
    },
  });
  const mock = createMockServer({ ...options, connectPage: `${served.url}${CONNECT_PATH}` });
  server = mock;
  return {
    ...mock,
    url: served.url,
    api: `${served.url}${options.basePath ?? "/run"}/api`,
    async close() {
      await mock.close();
      await served.close();
    },
  };
}

function page(url: string): Response {
  const losesOpener = new URL(url).searchParams.has("coop");
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    ...(losesOpener && { "cross-origin-opener-policy": "same-origin" }),
  };
  return new Response(connectHtml, { headers });
}
