import type { HttpChannelOptions } from "../client/index.ts";
import { createHardenedFetch, type HardenedFetchOptions } from "./hardened-fetch.ts";

/** What `elicitationTransport` takes: how the chat's requests are sent, and how their streams are hardened. */
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
 * The options with which a `DefaultChatTransport` (AI SDK 5 to 7) supports elicitation. `createElicitation` returns them as
 * `transportOptions`; use this function when you make the client yourself. Spread the result to add other options of the
 * transport, such as `body` or `prepareSendMessagesRequest`.
 *
 * @example
 * const channel = createHttpChannel({ api: "/run/api" });
 * const client = createElicitationClient({ channel });
 * const transport = new DefaultChatTransport(elicitationTransport({ api: "/run/api", push: (event) => channel.push(event) }));
 */
export function elicitationTransport(options: ElicitationTransportInit = {}): ElicitationTransportOptions {
  return transportOptionsOf(options, createHardenedFetch(options).fetch);
}

/** The options around a `fetch` that already exists. */
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
