import {
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { type A2aChannel, createA2aChannel } from "elicit-kit/a2a";
import type { A2aChannelOptions } from "../../../extras/a2a/page/channel.ts";
import { type PageClient, createPageClient } from "../../stages/page-client.ts";

/** A page: the channel and the client of the kit with a client of the SDK. */
export interface Page extends PageClient {
  channel: A2aChannel;
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
  return { channel, ...createPageClient(channel) };
}
