import type { Connector } from "elicit-kit/connect";

/** A vault with its own HTTP API: it begins, reads and deletes connections. */
export function ownVault(vault: string, key: string, service: string): Connector {
  async function call(method: string, path: string, body?: object) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(vault + path, { method, headers, body: JSON.stringify(body) });
    if (response.status === 404) return {};
    // A rejection counts as unavailable: nothing is deleted, and the user may try again.
    if (!response.ok) throw new Error(`the vault answered with status ${response.status}`);
    return response.json();
  }
  return {
    service,
    async start({ user, state, redirectUri }) {
      const back = `${redirectUri}?state=${state}`;
      const { id, url } = await call("POST", "/connections", { user: user.id, service, back });
      return { ok: true, url, data: id };
    },
    async finish({ data }) {
      const reference = String(data);
      const { token } = await call("GET", `/connections/${reference}`);
      return token === undefined ? { ok: false, reason: "denied" } : { ok: true, reference };
    },
    async token({ reference }, { refused }) {
      const { token } = await call("GET", `/connections/${reference}`);
      if (token === undefined || token === refused) return { ok: false, reason: "not-connected" };
      return { ok: true, credential: { accessToken: token } };
    },
    async revoke({ reference }) {
      await call("DELETE", `/connections/${reference}`);
      return { ok: true };
    },
  };
}
