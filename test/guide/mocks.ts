import { createMockServer, scenarios } from "elicit-kit/mock-server";
import connectPage from "elicit-kit/mock-server/connect.html?url";
import { setupWorker } from "msw/browser";

export const server = createMockServer({ ...scenarios.connect, connectPage });
export const worker = setupWorker(...server.handlers);

/** Await it before the app renders. */
export async function startMocks(): Promise<void> {
  await worker.start({ quiet: true, onUnhandledFrame: "bypass" });
}
