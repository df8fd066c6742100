import { ChannelError } from "./channel.ts";
import { isObject } from "../contract/json.ts";

/** The statuses of missing routes. */
const NOT_OFFERED: ReadonlySet<number> = new Set([404, 405, 501]);

export function isNotOffered({ status }: Response): boolean {
  return NOT_OFFERED.has(status);
}

/** The error for a reply to an optional route. If a server had the route before, it is only away for a moment. */
export function notReadable(
  url: string,
  response: Response,
  { isOffered }: { readonly isOffered: boolean },
  hint = "",
  retryable = false,
): ChannelError {
  const notOffered = isNotOffered(response) && !isOffered;
  return new ChannelError(`${url} answered ${response.status}${hint}`, { retryable, notOffered });
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
