import type { HttpChannelOptions } from "../client/http-channel.ts";

/** The options of `DefaultChatTransport`. The type is structural, so that any copy and version of `ai` fits. */
export interface ElicitationTransportOptions {
  api: string;
  fetch: typeof globalThis.fetch;
  headers?: () => Promise<Record<string, string>>;
  credentials?: RequestCredentials;
}

/** The options that make a `DefaultChatTransport` (AI SDK 5 to 7) support elicitation, with a hardened `fetch`. */
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
