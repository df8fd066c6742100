import { isObject } from "../contract/json.ts";
import type { ClientContext } from "./client-options.ts";

/**
 * The link to the page where a request is answered: of a URL request, its own; of a form, read from the server.
 * `undefined`: the server has none, the request has ended, or it failed.
 */
export async function linkOf(
  { channel, store, signal }: ClientContext,
  id: string,
): Promise<string | undefined> {
  const { request } = store.getKnown(id);
  if (request.mode === "url") return request.url;
  try {
    const response = await channel.read?.(`/elicitations/${encodeURIComponent(id)}/link`, { signal });
    const body: unknown = response?.ok === true ? await response.json() : undefined;
    const link = isObject(body) ? body["link"] : undefined;
    return typeof link === "string" && /^https?:\/\//.test(link) && URL.canParse(link) ? link : undefined;
  } catch {
    return undefined;
  }
}
