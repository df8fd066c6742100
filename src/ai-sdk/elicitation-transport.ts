import type { HttpChannelOptions } from "../client/index.ts";
import { createHardenedFetch, type HardenedFetchOptions } from "./hardened-fetch.ts";

/**
 * What `elicitationTransport` takes: how the chat's requests are sent, and how their streams are hardened.
 */
export interface ElicitationTransportInit
  extends HardenedFetchOptions, Pick<HttpChannelOptions, "credentials"> {}

/** What `DefaultChatTransport` takes. Structural, so that any copy and version of `ai` fits. */
export interface ElicitationTransportOptions {
  api: string;
  fetch: typeof globalThis.fetch;
  headers?: () => Promise<Record<string, string>>;
  credentials?: RequestCredentials;
}

/**
 * The options that make a `DefaultChatTransport` (AI SDK 5 to 7) fit for elicitation. `createElicitation` has them
 * ready; this is for chats whose client is made otherwise. Spread them to add the transport's own options (`body`,
 * `prepareSendMessagesRequest` …): the header is sent with whatever the transport makes of a request.
 *
 * @example
 * const channel = createHttpChannel({ api: "/run/api" });
 * const client = createElicitationClient({ channel });
 * const transport = new DefaultChatTransport(elicitationTransport({ api: "/run/api", push: (event) => channel.push(event) }));
 */
export function elicitationTransport(options: ElicitationTransportInit = {}): ElicitationTransportOptions {
  return transportOptionsOf(options, createHardenedFetch(options).fetch);
}

/** The same, over a `fetch` that was made before. */
export function transportOptionsOf(
  options: Pick<HttpChannelOptions, "api" | "headers" | "credentials">,
  fetch: typeof globalThis.fetch,
): ElicitationTransportOptions {
  const { api = "/run/api", headers, credentials } = options;
  return {
    api: `${api}/chat`,
    fetch,
    ...(headers !== undefined && {
      headers: async () =>
        Object.fromEntries(new Headers(typeof headers === "function" ? await headers() : headers)),
    }),
    ...(credentials !== undefined && { credentials }),
  };
}
