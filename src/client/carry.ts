import { isObject } from "../contract/json.ts";
import type { ClientContext } from "./client-options.ts";

/** Reads the link to the answer page of a request. `undefined`: the server has none, the request has ended, or it failed. */
export async function linkOf(
  { channel, store, signal }: ClientContext,
  id: string,
): Promise<string | undefined> {
  store.getKnown(id);
  try {
    const response = await channel.read?.(`/elicitations/${encodeURIComponent(id)}/link`, { signal });
    const body: unknown = response?.ok === true ? await response.json() : undefined;
    const link = isObject(body) ? body["link"] : undefined;
    return typeof link === "string" && /^https?:\/\//.test(link) && URL.canParse(link) ? link : undefined;
  } catch {
    return undefined;
  }
}
