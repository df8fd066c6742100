import { createMockServer, type MockServer, type Scenario } from "elicit-kit/mock-server";
import { setupWorker } from "msw/browser";

/** A mock server for one story; a documentation page shows several stories. */
export interface World {
  /** The `api` of the chat. */
  api: string;
  server: MockServer;
}

export function createWorld(name: string, scenario: Scenario): World {
  return {
    api: `/${name}/api`,
    server: createMockServer({
      ...scenario,
      basePath: `/${name}`,
      // A built Storybook is a production build, and may be published anywhere.
      allowInProduction: true,
      allowedOrigins: () => true,
    }),
  };
}

const worker = setupWorker();
let started: Promise<unknown> | undefined;

/** For `beforeEach` of stories: from then on the service worker responds with this server. */
export async function serve({ server }: World): Promise<() => void> {
  started ??= worker.start({
    quiet: true,
    onUnhandledFrame: "bypass",
    // A relative URL, so that the built Storybook works in any folder.
    serviceWorker: { url: "./mockServiceWorker.js" },
  });
  await started;
  worker.use(...server.handlers);
  return () => undefined;
}
