import type { ElicitationRequest } from "../contract/contract.ts";
import { type Parsed, parseElicitationRequest } from "../contract/guard.ts";
import { isObject } from "../contract/json.ts";

/**
 * Completes a request from a server: a `url` may be relative to `api`, and `mode` is inferred from its members. Returns
 * the same object if there is nothing to add.
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

/** Returns an absolute URL unchanged, and also a relative one without a base. */
function absoluteUrl(url: string, api: string): string {
  const page: { href: string } | undefined = globalThis.location;
  const base = URL.canParse(api, page?.href) ? new URL(api, page?.href) : undefined;
  return URL.canParse(url) || !URL.canParse(url, base) ? url : new URL(url, base).href;
}
