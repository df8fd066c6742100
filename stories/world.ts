import { createMockServer, type MockServer, type Scenario } from "elicit-kit/mock-server";
import { setupWorker } from "msw/browser";

/** A whole server of its own for one story: several stand on one page of the book. */
export interface World {
  /** Where the chat finds it. */
  api: string;
  server: MockServer;
}

export function createWorld(name: string, scenario: Scenario): World {
  return {
    api: `/${name}/api`,
    server: createMockServer({ ...scenario, basePath: `/${name}`, allowInProduction: true }),
  };
}

const worker = setupWorker();
let started: Promise<unknown> | undefined;

/** For `beforeEach` of stories: from then on the service worker answers for this world. */
export async function serve({ server }: World): Promise<() => void> {
  started ??= worker.start({
    quiet: true,
    onUnhandledFrame: "bypass",
    // Relative, so that the built book works in any folder.
    serviceWorker: { url: "./mockServiceWorker.js" },
  });
  await started;
  worker.use(...server.handlers);
  return () => undefined;
}
