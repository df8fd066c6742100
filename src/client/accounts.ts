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
    const path = `/elicitations/${encodeURIComponent(id)}/account`;
    const response = remove
      ? await channel.read?.(`${path}/remove`, { signal, body: {} })
      : await channel.read?.(`${path}?lang=${encodeURIComponent(language)}`, { signal });
    const body: unknown = response?.ok === true ? await response.json() : undefined;
    if (!isObject(body)) return undefined;
    return remove ? { connected: false, isRevoked: body["revoked"] !== false } : readReport(body);
  } catch {
    return undefined;
  }
}

function readReport(body: Readonly<Record<string, unknown>>): AccountReport | undefined {
  const { connected, rights, since } = body;
  if (connected === false) return { connected };
  if (connected !== true || !Array.isArray(rights)) return undefined;
  return { connected, rights: rights.filter(isText), ...(typeof since === "string" && { since }) };
}

const isText = (value: unknown) => typeof value === "string";
