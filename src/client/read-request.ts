import type { ElicitationRequest } from "../contract/contract.ts";
import { type Parsed, parseElicitationRequest } from "../contract/guard.ts";
import { isObject } from "../contract/json.ts";

/**
 * A request as a server may send it: a `url` may be relative to `api`, and `mode` is inferred from what the request has. The
 * same object when there is nothing to add.
 */
export function readRequest(value: unknown, api: string): Parsed<ElicitationRequest> {
  return parseElicitationRequest(isObject(value) ? completed(value, api) : value);
}

function completed(value: Readonly<Record<string, unknown>>, api: string): Readonly<Record<string, unknown>> {
  const { url, requestedSchema } = value;
  const mode = value["mode"] ?? (url !== undefined ? "url" : requestedSchema && "form");
  const absolute = typeof url === "string" ? absoluteUrl(url, api) : url;
  if (mode === value["mode"] && absolute === url) return value;
  return { ...value, mode, ...(url !== undefined && { url: absolute }) };
}

/** The URL as it is when it is absolute, or when nothing says what it is relative to. */
function absoluteUrl(url: string, api: string): string {
  const page: { href: string } | undefined = globalThis.location;
  const base = URL.canParse(api, page?.href) ? new URL(api, page?.href) : undefined;
  return URL.canParse(url) || !URL.canParse(url, base) ? url : new URL(url, base).href;
}
