import { isObject } from "../../contract/json.ts";
import { KitError } from "../../contract/kit-error.ts";
import { isSendable } from "../ports/credentials.ts";
import type { AccountFault, Connector, ProviderBase } from "../ports/connector.ts";

/** The methods of a `new Composio({ apiKey })` of `@composio/client` that the kit calls. Their results are checked. */
export interface ComposioApi {
  readonly link: {
    create(body: {
      auth_config_id: string;
      user_id: string;
      callback_url: string;
    }): PromiseLike<{ redirect_url: string; connected_account_id: string }>;
  };
  readonly connectedAccounts: {
    retrieve(id: string): PromiseLike<unknown>;
    delete(id: string): PromiseLike<unknown>;
  };
}

/** The options of `composio`. */
export interface ComposioOptions extends ProviderBase {
  composio: ComposioApi;
  /** Id of the auth config at Composio, such as `"ac_…"`. */
  authConfigId: string;
  /** Shown to users. Configure the requested scopes at Composio. */
  scopes?: readonly string[] | undefined;
}

/** The format of tokens while the Composio project masks the secrets of its accounts. */
const MASKED = /^REDACTED$|\.\.\.|\*\*\*/;

/**
 * Accounts that Composio keeps and refreshes. Turn off "Mask Connected Account Secrets" in the settings of the project,
 * because otherwise Composio does not return tokens.
 */
export function composio({ composio: api, authConfigId, scopes, ...shown }: ComposioOptions): Connector {
  async function read(id: string): ReturnType<Connector["token"]> {
    let found: unknown;
    try {
      found = await api.connectedAccounts.retrieve(id);
    } catch (error) {
      return faultOf(error);
    }
    if (!isObject(found) || found["status"] !== "ACTIVE") return { ok: false, reason: "not-connected" };
    const state = isObject(found["state"]) ? found["state"]["val"] : undefined;
    const token = isObject(state) ? (state["access_token"] ?? state["api_key"]) : undefined;
    if (typeof token !== "string" || !isSendable(token) || MASKED.test(token))
      return { ok: false, ...MASKING };
    const scope = isObject(state) ? state["scope"] : undefined;
    return { ok: true, credential: { accessToken: token, ...(typeof scope === "string" && { scope }) } };
  }

  return {
    ...shown,
    async token({ reference }, { refused }) {
      const found = await read(reference);
      // Composio refreshes by itself, so there is no newer token.
      if (found.ok && found.credential.accessToken === refused) return { ok: false, reason: "not-connected" };
      return found;
    },
    async start({ user, state, redirectUri }) {
      const callback = `${redirectUri}?state=${encodeURIComponent(state)}`;
      try {
        const { redirect_url: url, connected_account_id: id } = await api.link.create({
          auth_config_id: authConfigId,
          user_id: user.id,
          callback_url: callback,
        });
        return { ok: true, url, data: id };
      } catch (error) {
        return faultOf(error);
      }
    },
    // Takes the account from the sealed state of this sign-in, never from the query of the callback.
    async finish({ data }) {
      const reference = String(data);
      const found = await read(reference);
      return found.ok ? { ok: true, reference } : found;
    },
    async revoke({ reference }) {
      try {
        await api.connectedAccounts.delete(reference);
        return { ok: true };
      } catch (error) {
        const fault = faultOf(error);
        return fault.reason === "not-connected" ? { ok: true } : fault;
      }
    },
    place: async () => ({ scopes: scopes ?? [] }),
  };
}

const MASKING = {
  reason: "not-set-up",
  error: new KitError(
    'elicit-kit: Composio tells no token of an account. Turn off "Mask Connected Account Secrets" in the settings of the project, and connect a service that has an access token or an API key.',
  ),
} as const;

/** Checks the status of an `APIError`. The package may be loaded more than once, so `instanceof` would not work. */
function faultOf(error: unknown): AccountFault {
  const isGone = isObject(error) && error["status"] === 404;
  return { ok: false, reason: isGone ? "not-connected" : "unavailable", error };
}
