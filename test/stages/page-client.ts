import {
  type Channel,
  type ElicitationClient,
  type ElicitationItem,
  createElicitationClient,
} from "elicit-kit/client";
import { expect, onTestFinished } from "vitest";
import { FakeBrowser } from "../../src/client/popup/testing/fake-browser.ts";

export interface PageClient {
  readonly client: ElicitationClient;
  /** The request at `index`, once it exists. */
  item(index?: number): Promise<ElicitationItem>;
  /** The status of each request, in order. */
  statuses(): readonly string[];
}

/** The client of a page, on its channel, until the test ends. */
export function createPageClient(channel: Channel): PageClient {
  const client = createElicitationClient({ channel, storage: null, popupEnvironment: new FakeBrowser() });
  onTestFinished(() => client.dispose());
  const items = () => client.getSnapshot().items;
  return {
    client,
    async item(index = 0) {
      await expect.poll(() => items().length).toBeGreaterThan(index);
      return items()[index]!;
    },
    statuses: () => items().map(({ status }) => status),
  };
}
