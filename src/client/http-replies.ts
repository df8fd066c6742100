import { ChannelError } from "./channel.ts";
import { isObject } from "../contract/json.ts";

/** Whether the status is that of a missing route. */
export function isNotOffered({ status }: Response): boolean {
  return [404, 405, 501].includes(status);
}

/**
 * Whether the reply is that of a server that is down or busy for a moment. A 404 that is not the server's own may come
 * from a proxy that has no server during a deploy.
 */
export function isTemporary({ status, headers }: Response): boolean {
  return (
    status >= 500 ||
    status === 429 ||
    (status === 404 && !headers.get("content-type")?.includes("problem+json"))
  );
}

/** The error for a reply that cannot be used. If a server had the route before, it is only away for a moment. */
export function notReadable(
  url: string,
  response: Response,
  { isOffered }: { readonly isOffered: boolean | undefined },
  hint = "",
): ChannelError {
  return new ChannelError(`${url} answered ${response.status}${hint}`, {
    retryable: isTemporary(response),
    notOffered: isNotOffered(response) && !isOffered,
    retryAfterMs: retryAfterOf(response),
  });
}

export function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return seconds >= 0 ? seconds * 1_000 : undefined;
}

/** A property of a JSON value; `undefined` when the value is not an object or lacks it. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** A property that is a list; empty when there is no such list. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}
