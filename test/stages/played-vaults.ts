import { createHash } from "node:crypto";
import { Composio } from "@composio/client";
import * as vercel from "@vercel/connect";
import { ownVault } from "../../docs/examples/own-vault.ts";
import { type Connector, auth0TokenVault, composio, vercelConnect } from "../../src/connect/index.ts";
import type { VercelConnectApi } from "../../src/connect/vaults/vercel-connect.ts";
import { isObject } from "../../src/contract/json.ts";

/**
 * A simulated vendor: its HTTP API follows the types of its package and its documentation. No live account was used. The
 * kit uses the vendor's own package if there is one.
 */
export interface PlayedVault {
  readonly origin: string;
  readonly connector: Connector;
  /** All data that it received, as text. */
  readonly log: string[];
  answer(request: Request): Promise<Response>;
  /** A user signs in at a URL. Returns the URL to which the vendor redirects their browser. */
  approve(url: string, token: string): string;
  /** The same for a user who presses Cancel. */
  deny(url: string): string;
  tokens(): readonly string[];
  /** Deletes all tokens, as when a user revokes access at the service. */
  lose(): void;
}

type Body = Readonly<Record<string, unknown>>;
type Answer = (call: { method: string; path: string; body: Body; request: Request }) => Response;

const SHOWN = { service: "Tracker", scopes: ["issues:write"] };

function play(origin: string, answer: Answer): Pick<PlayedVault, "origin" | "log" | "answer"> {
  const log: string[] = [];
  return {
    origin,
    log,
    async answer(request) {
      const text = await request.text();
      const { pathname } = new URL(request.url);
      log.push(`${request.method} ${pathname} ${text}`);
      const body: unknown = text === "" ? {} : JSON.parse(text);
      return answer({ method: request.method, path: pathname, body: isObject(body) ? body : {}, request });
    },
  };
}

let count = 0;
const next = (prefix: string): string => `${prefix}_${(count += 1)}`;
const textIn = (values: unknown, name: string): string => (isObject(values) ? String(values[name]) : "");

export function playVercelConnect(): PlayedVault {
  const trips = new Map<string, { subject: string; returnUrl: string }>();
  const tokens = new Map<string, string>();
  const played = play("https://api.vercel.com", ({ method, path, body, request }) => {
    if (request.headers.get("authorization") !== "Bearer vercel-oidc") return error(401, "unauthorized");
    const subject = textIn(body["subject"], "id");
    if (method === "POST" && path === "/v1/connect/authorize/oauth%2Ftracker") {
      const id = next("req");
      trips.set(id, { subject, returnUrl: textIn(body, "returnUrl") });
      return Response.json({ request: id, verifier: "v", url: `https://vercel.example/authorize/${id}` });
    }
    if (method === "DELETE" && path === "/v1/connect/connectors/oauth%2Ftracker/tokens") {
      tokens.delete(subject);
      return new Response(null, { status: 204 });
    }
    const token = tokens.get(subject);
    if (method !== "POST" || path !== "/v1/connect/token/oauth%2Ftracker") return error(404, "not_found");
    if (token === undefined) return error(403, "user_authorization_required");
    const connector = { id: "scl_1", uid: "oauth/tracker", type: "oauth" };
    return Response.json({
      token,
      expiresAt: Date.now() + 3_600_000,
      connector,
      name: "ada@tracker.example",
    });
  });
  function error(status: number, code: string): Response {
    return Response.json({ error: { code, message: "hunter2" } }, { status });
  }
  const tripOf = (url: string) => trips.get(url.split("/").at(-1) ?? "") ?? { subject: "", returnUrl: "" };
  // The plain module fits, too. Outside Vercel, its token is passed in.
  const plain: VercelConnectApi = vercel;
  const vercelToken = "vercel-oidc";
  const api: typeof plain = {
    startAuthorization: (name, params, options) =>
      vercel.startAuthorization(name, params, { ...options, vercelToken }),
    getTokenResponse: (name, params, options) =>
      vercel.getTokenResponse(name, params, { ...options, vercelToken }),
    revokeToken: (name, params) => vercel.revokeToken(name, params, { vercelToken }),
  };
  return {
    ...played,
    connector: vercelConnect({ ...SHOWN, vercel: api, connector: "oauth/tracker" }),
    approve(url, token) {
      const { subject, returnUrl } = tripOf(url);
      tokens.set(subject, token);
      return returnUrl;
    },
    deny: (url) => tripOf(url).returnUrl,
    tokens: () => [...tokens.values()],
    lose: () => tokens.clear(),
  };
}

export function playComposio(): PlayedVault {
  const accounts = new Map<string, { callback: string; token?: string }>();
  const played = play("https://backend.composio.dev", ({ method, path, body, request }) => {
    if (request.headers.get("x-api-key") !== "composio-key") return gone(401);
    if (method === "POST" && path === "/api/v3.1/connected_accounts/link") {
      const id = next("ca");
      accounts.set(id, { callback: textIn(body, "callback_url") });
      const url = `https://connect.composio.example/link/${id}`;
      const expires = new Date(Date.now() + 600_000).toISOString();
      return Response.json(
        { link_token: "lk", redirect_url: url, expires_at: expires, connected_account_id: id },
        { status: 201 },
      );
    }
    const id = path.split("/").at(-1) ?? "";
    const account = accounts.get(id);
    if (account === undefined) return gone(404);
    if (method === "DELETE") {
      accounts.delete(id);
      return Response.json({ success: true });
    }
    const { token } = account;
    const val =
      token === undefined
        ? { status: "INITIATED" }
        : { status: "ACTIVE", access_token: token, scope: "issues:write" };
    return Response.json({ id, status: val.status, state: { authScheme: "OAUTH2", val } });
  });
  function gone(status: number): Response {
    return Response.json({ error: { message: "hunter2", slug: "x", status } }, { status });
  }
  const accountOf = (url: string) => accounts.get(url.split("/").at(-1) ?? "") ?? { callback: "" };
  const client = new Composio({
    apiKey: "composio-key",
    baseURL: "https://backend.composio.dev",
    maxRetries: 0,
  });
  return {
    ...played,
    connector: composio({ ...SHOWN, composio: client, authConfigId: "ac_1" }),
    approve(url, token) {
      const account = accountOf(url);
      account.token = token;
      return `${account.callback}&status=success`;
    },
    deny: (url) => `${accountOf(url).callback}&status=failed`,
    tokens: () => [...accounts.values()].flatMap(({ token }) => token ?? []),
    lose: () => accounts.clear(),
  };
}

export function playAuth0(): PlayedVault {
  const trips = new Map<string, Body & { code?: string }>();
  /** By the user's refresh token. */
  const tokens = new Map<string, { id: string; token: string }>();
  const granted = new Map<string, string>();
  const played = play("https://tenant.auth0.example", ({ method, path, body, request }) => {
    const refreshToken = textIn(body, "refresh_token");
    if (path === "/oauth/token") {
      if (textIn(body, "client_secret") !== "auth0-secret") return error(401, "invalid_client");
      if (body["grant_type"] === "refresh_token")
        return Response.json({ access_token: `me ${refreshToken}` });
      const kept = tokens.get(textIn(body, "subject_token"));
      return kept === undefined
        ? error(401, "federated_connection_refresh_token_not_found")
        : Response.json({ access_token: kept.token, expires_in: 3600, scope: "issues:write" });
    }
    const user = /^Bearer me (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
    if (user === undefined) return error(401, "invalid_token");
    if (method === "POST" && path === "/me/v1/connected-accounts/connect") {
      const session = next("session");
      trips.set(session, body);
      const uri = "https://tenant.auth0.example/connected-accounts/connect";
      const answer = { auth_session: session, connect_uri: uri, connect_params: { ticket: session } };
      return Response.json({ ...answer, expires_in: 300 }, { status: 201 });
    }
    if (method === "POST" && path === "/me/v1/connected-accounts/complete") {
      const trip = trips.get(textIn(body, "auth_session"));
      const hash = createHash("sha256").update(textIn(body, "code_verifier")).digest("base64url");
      const isOurs = trip?.["code_challenge"] === hash && trip["redirect_uri"] === body["redirect_uri"];
      const token = granted.get(textIn(body, "connect_code"));
      if (!isOurs || token === undefined) return error(400, "invalid_request");
      const id = next("cac");
      tokens.set(user, { id, token });
      return Response.json({ id, connection: "tracker", access_type: "offline" }, { status: 201 });
    }
    for (const [owner, { id }] of tokens) {
      if (method === "DELETE" && path === `/me/v1/connected-accounts/accounts/${id}`) tokens.delete(owner);
    }
    return new Response(null, { status: 204 });
  });
  function error(status: number, code: string): Response {
    return Response.json({ error: code, error_description: "hunter2" }, { status });
  }
  function back(url: string, result: Record<string, string>): string {
    const trip = trips.get(new URL(url).searchParams.get("ticket") ?? "");
    return `${textIn(trip, "redirect_uri")}?${new URLSearchParams({ state: textIn(trip, "state"), ...result })}`;
  }
  return {
    ...played,
    connector: auth0TokenVault({
      ...SHOWN,
      domain: "tenant.auth0.example",
      clientId: "auth0-client",
      clientSecret: "auth0-secret",
      connection: "tracker",
      refreshToken: async (userId) => `refresh-${userId}`,
    }),
    approve(url, token) {
      const code = next("code");
      granted.set(code, token);
      return back(url, { connect_code: code });
    },
    deny: (url) => back(url, { error: "access_denied" }),
    tokens: () => [...tokens.values()].map(({ token }) => token),
    lose: () => tokens.clear(),
  };
}

/** The vault of the guide "Any other vault in 30 lines". */
export function playOwnVault(): PlayedVault {
  const connections = new Map<string, { back: string; token?: string }>();
  const played = play("https://vault.example", ({ method, path, body }) => {
    if (method === "POST") {
      const id = next("c");
      connections.set(id, { back: textIn(body, "back") });
      return Response.json({ id, url: `https://vault.example/connect/${id}` });
    }
    const id = path.split("/").at(-1) ?? "";
    const found = connections.get(id);
    if (method === "DELETE") connections.delete(id);
    return found === undefined ? new Response(null, { status: 404 }) : Response.json(found);
  });
  const connectionOf = (url: string) => connections.get(url.split("/").at(-1) ?? "") ?? { back: "" };
  return {
    ...played,
    connector: ownVault("https://vault.example", "key", SHOWN.service),
    approve(url, token) {
      const connection = connectionOf(url);
      connection.token = token;
      return connection.back;
    },
    deny: (url) => connectionOf(url).back,
    tokens: () => [...connections.values()].flatMap(({ token }) => token ?? []),
    lose: () => connections.clear(),
  };
}
