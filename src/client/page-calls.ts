import { isObject } from "../contract/json.ts";
import type { ClientContext } from "./client-options.ts";
import type { AccountReport } from "./elicitation.ts";

type Body = Readonly<Record<string, unknown>>;

/** `undefined`: the server does not offer it, no longer knows the request, or has failed. */
async function bodyOf(
  { channel, signal }: ClientContext,
  id: string,
  path: string,
  options?: { readonly body: unknown },
): Promise<Body | undefined> {
  try {
    const response = await channel.read?.(`/elicitations/${encodeURIComponent(id)}/${path}`, {
      signal,
      ...options,
    });
    const body: unknown = response?.ok === true ? await response.json() : undefined;
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The link to the page where a request is answered: of a URL request, its own; of a form, read from the server. */
export async function linkOf(context: ClientContext, id: string): Promise<string | undefined> {
  const { request } = context.store.getKnown(id);
  if (request.mode === "url") return request.url;
  const { link } = (await bodyOf(context, id, "link")) ?? {};
  return typeof link === "string" && /^https?:\/\//.test(link) && URL.canParse(link) ? link : undefined;
}

/** Reads the account that a request has connected, or removes it. */
export async function accountOf(
  context: ClientContext,
  id: string,
  { remove = false, language = "en" }: { remove?: boolean | undefined; language?: string | undefined } = {},
): Promise<AccountReport | undefined> {
  context.store.getKnown(id);
  const body = await (remove
    ? bodyOf(context, id, "account/remove", { body: {} })
    : bodyOf(context, id, `account?lang=${encodeURIComponent(language)}`));
  if (body === undefined) return undefined;
  return remove ? { connected: false, isRevoked: body["revoked"] !== false } : readReport(body);
}

function readReport(body: Body): AccountReport | undefined {
  const { connected, rights, since } = body;
  if (connected === false) return { connected };
  if (connected !== true || !Array.isArray(rights)) return undefined;
  return { connected, rights: rights.filter(isText), ...(typeof since === "string" && { since }) };
}

const isText = (value: unknown) => typeof value === "string";
