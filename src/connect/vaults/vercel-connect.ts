import { newId } from "../../base/ids.ts";
import { isObject } from "../../contract/json.ts";
import type { AccountFault, Connector, ProviderBase } from "../ports/connector.ts";

interface Params {
  subject: { type: "user"; id: string };
  scopes?: string[];
}

/** The functions of `@vercel/connect` that the kit calls: `import * as vercel from "@vercel/connect"`. */
export interface VercelConnectApi {
  startAuthorization(
    connector: string,
    params: Params,
    options: { callbackUrl: string },
  ): Promise<{ url: string }>;
  getTokenResponse(
    connector: string,
    params: Params,
    options: { forceRefresh: boolean },
  ): Promise<{ token: string; expiresAt: number; name?: string }>;
  revokeToken(connector: string, params: Pick<Params, "subject">): Promise<void>;
}

/** The options of `vercelConnect`. */
export interface VercelConnectOptions extends ProviderBase {
  /** `import * as vercel from "@vercel/connect"`. */
  vercel: VercelConnectApi;
  /** Id or name of the connector at Vercel, such as `"oauth/linear"`. */
  connector: string;
  /** @default the scopes of the connector */
  scopes?: readonly string[] | undefined;
}

/**
 * Accounts that Vercel Connect keeps. Each sign-in has a separate subject at Vercel, which counts only after the same
 * browser has returned. Vercel does not say which browser consented: see "Forwarded links" in the guide about vaults.
 */
export function vercelConnect({ vercel, connector, scopes, ...shown }: VercelConnectOptions): Connector {
  const paramsOf = (id: string): Params => ({
    subject: { type: "user", id },
    ...(scopes !== undefined && { scopes: [...scopes] }),
  });

  async function read(id: string, forceRefresh: boolean): ReturnType<Connector["token"]> {
    try {
      const found = await vercel.getTokenResponse(connector, paramsOf(id), { forceRefresh });
      const { token: accessToken, expiresAt, name } = found;
      return {
        ok: true,
        credential: { accessToken, expiresAt, ...(name !== undefined && { account: name }) },
      };
    } catch (error) {
      return faultOf(error);
    }
  }

  return {
    ...shown,
    async token({ reference }, { refused }) {
      const found = await read(reference, refused !== undefined);
      // Vercel has no newer token, so the user must connect again.
      if (found.ok && found.credential.accessToken === refused) return { ok: false, reason: "not-connected" };
      return found;
    },
    async start({ user, state, redirectUri }) {
      const subject = `${user.id}/${newId()}`;
      const callbackUrl = `${redirectUri}?state=${encodeURIComponent(state)}`;
      try {
        const { url } = await vercel.startAuthorization(connector, paramsOf(subject), { callbackUrl });
        return { ok: true, url, data: subject };
      } catch (error) {
        return faultOf(error);
      }
    },
    async finish({ data }) {
      const reference = String(data);
      const found = await read(reference, true);
      return found.ok ? { ok: true, reference, name: found.credential.account } : found;
    },
    async revoke({ reference }) {
      await vercel.revokeToken(connector, { subject: paramsOf(reference).subject });
      return { ok: true };
    },
    place: async () => ({ scopes: scopes ?? [] }),
  };
}

/** Checks the code of a `ConnectError`. The package may be loaded more than once, so `instanceof` would not work. */
function faultOf(error: unknown): AccountFault {
  const code = isObject(error) ? error["code"] : undefined;
  if (code === "no_token" || code === "user_authorization_required") {
    return { ok: false, reason: "not-connected", error };
  }
  const isNotInstalled =
    code === "connector_installation_required" || code === "client_installation_required";
  return { ok: false, reason: isNotInstalled ? "not-set-up" : "unavailable", error };
}
