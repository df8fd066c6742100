import {
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { type A2aChannel, createA2aChannel } from "elicit-kit/a2a";
import type { A2aChannelOptions } from "../../../extras/a2a/page/channel.ts";
import { type ElicitationClient, type ElicitationItem, createElicitationClient } from "elicit-kit/client";
import { expect, onTestFinished } from "vitest";
import { FakeBrowser } from "../../../src/client/popup/testing/fake-browser.ts";

/** A page: the channel and the client of the kit with a client of the SDK. */
export interface Page {
  channel: A2aChannel;
  client: ElicitationClient;
  /** The request at `index`, once it exists. */
  item(index?: number): Promise<ElicitationItem>;
  /** The status of each request, in order. */
  statuses(): readonly string[];
}

export async function openPage(
  url: string,
  options: Partial<A2aChannelOptions> = {},
  fetchImpl: typeof fetch = fetch,
): Promise<Page> {
  const compat = { fetchImpl, legacyCompat: { enabled: true } };
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory(compat), new RestTransportFactory(compat)],
    }),
  );
  const client = await factory.createFromUrl(url);
  const channel = createA2aChannel({ client, agentName: "Contoso Travel", ...options });
  const elicitations = createElicitationClient({
    channel,
    storage: null,
    popupEnvironment: new FakeBrowser(),
  });
  onTestFinished(() => elicitations.dispose());
  const items = () => elicitations.getSnapshot().items;
  return {
    channel,
    client: elicitations,
    async item(index = 0) {
      await expect.poll(() => items().length).toBeGreaterThan(index);
      return items()[index]!;
    },
    statuses: () => items().map(({ status }) => status),
  };
}
