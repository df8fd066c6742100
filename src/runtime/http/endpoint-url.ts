import { KitError } from "../../contract/kit-error.ts";

/** The URL that clients know an endpoint by. Throws for one that no client could call. */
export function endpointUrl(url: string): URL {
  if (URL.canParse(url)) {
    const parsed = new URL(url);
    const isPlain = parsed.username === "" && parsed.search === "" && parsed.hash === "";
    if (/^https?:$/.test(parsed.protocol) && isPlain) return parsed;
  }
  throw new KitError(
    `elicit-kit: url must be the public URL of the endpoint: http or https, and without a query, a fragment or credentials, such as "https://agent.example.com/run/v1/mcp". It is: ${withoutCredentials(url)}`,
  );
}

/** `url` may be anything that a caller in plain JavaScript passes. */
function withoutCredentials(url: unknown): string {
  return String(url).replace(/^.*@/s, "…@");
}
