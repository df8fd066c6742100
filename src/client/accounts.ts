import { isObject } from "../contract/json.ts";
import type { ClientContext } from "./client-options.ts";
import type { AccountReport } from "./elicitation.ts";

/**
 * Reads the account that a request has connected, or removes it. `undefined`: the server offers no accounts, no longer
 * knows the request, or has failed.
 */
export async function accountOf(
  { channel, store, signal }: ClientContext,
  id: string,
  { remove = false, language = "en" }: { remove?: boolean | undefined; language?: string | undefined } = {},
): Promise<AccountReport | undefined> {
  store.getKnown(id);
  try {
    if (remove) {
      const isRevoked = await channel.removeAccount?.(id, { signal });
      return isRevoked === undefined ? undefined : { connected: false, isRevoked };
    }
    const path = `/elicitations/${encodeURIComponent(id)}/account?lang=${encodeURIComponent(language)}`;
    const response = await channel.read?.(path, { signal });
    return response?.ok === true ? readReport(await response.json()) : undefined;
  } catch {
    return undefined;
  }
}

function readReport(body: unknown): AccountReport | undefined {
  if (!isObject(body)) return undefined;
  const { connected, rights, since } = body;
  if (connected === false) return { connected };
  if (connected !== true || !Array.isArray(rights)) return undefined;
  const isText = (value: unknown) => typeof value === "string";
  return { connected, rights: rights.filter(isText), ...(typeof since === "string" && { since }) };
}
