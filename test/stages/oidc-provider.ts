import { randomBytes } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { type ClientMetadata, type Configuration, Provider } from "oidc-provider";
import type { GrantContext } from "../../demo/server/company-grants.ts";
import { listen } from "./listen.ts";

export interface TestProvider {
  issuer: string;
  /** The private key of its ID tokens (ES256). Its public key is at `/jwks`. */
  readonly signingKey: CryptoKey;
  /** A public client. */
  clientId: string;
  /** Clients with a secret, by their authentication method. */
  readonly confidential: Readonly<Record<"basic" | "post", { clientId: string; clientSecret: string }>>;
  /** The user's action at the provider. `approve` signs them in and grants at once. */
  person: "approve" | "deny";
  /** The account that the user signs in with when asked to. */
  account: string;
  /** The account of an access token. */
  accountOf(token: string): Promise<string | undefined>;
  /** The parameters of every authorization and token request. */
  readonly requests: readonly { path: string; parameters: URLSearchParams }[];
  /** The scopes of an access token, if it is valid. */
  scopesOf(token: string): Promise<readonly string[] | undefined>;
  /** Whether an access or refresh token is (still) valid. */
  isActive(token: string): Promise<boolean>;
  /** Sends it an HTTP request for its issuer, whose name does not resolve. */
  forward(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export const RESOURCE = "https://tracker.example.com/mcp";

export interface TestProviderOptions {
  registration?: boolean;
  /** Handles paths below `/user/` with the provider's protected data. */
  api?: (token: string) => Promise<unknown>;
  /**
   * Makes it a public provider with client id metadata documents: its issuer, and how it reads documents. HTTP requests
   * to the issuer go through `forward`.
   */
  documents?: { issuer: string; fetch: (url: string) => Promise<Response> };
  /** Another client, and a grant type of its own. */
  grant?: {
    client: ClientMetadata;
    type: string;
    parameters: readonly string[];
    /** Returns the reply of the token endpoint. */
    reply: (context: GrantContext, provider: Provider) => Promise<object>;
  };
}

/** A real authorization server on a loopback port, with a user who decides without seeing a page. */
export async function startTestProvider(
  redirectUris: readonly string[],
  options: TestProviderOptions = {},
): Promise<TestProvider> {
  const requests: { path: string; parameters: URLSearchParams }[] = [];
  const server = createServer();
  const { url: address, close } = await listen(server);
  const issuer = options.documents?.issuer ?? address;
  const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
  ]);
  const provider = new Provider(issuer, await configure(redirectUris, privateKey, options));
  const { grant: ownGrant } = options;
  if (ownGrant !== undefined) {
    const answerGrant = async (context: GrantContext) => {
      context.body = await ownGrant.reply(context, provider);
    };
    provider.registerGrantType(ownGrant.type, answerGrant, [...ownGrant.parameters]);
  }
  // Behind a proxy, which `forward` simulates.
  provider.proxy = options.documents !== undefined;
  const answer = provider.callback();

  server.on("request", (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname.startsWith("/interaction/")) {
      decide(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
      return;
    }
    if (options.api !== undefined && url.pathname.startsWith("/user/")) {
      const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
      options.api(token).then(
        (found) => response.end(JSON.stringify(found)),
        () => response.writeHead(401).end(),
      );
      return;
    }
    if (url.pathname === "/auth") requests.push({ path: url.pathname, parameters: url.searchParams });
    if (url.pathname === "/token") {
      const body: Buffer[] = [];
      request.on("data", (piece: Buffer) => body.push(piece));
      request.on("end", () => {
        requests.push({
          path: url.pathname,
          parameters: new URLSearchParams(Buffer.concat(body).toString()),
        });
      });
    }
    void answer(request, response);
  });

  async function decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (self.person === "deny") {
      const error_description = "the person said no";
      return provider.interactionFinished(request, response, { error: "access_denied", error_description });
    }
    if (prompt.name === "login") {
      return provider.interactionFinished(request, response, { login: { accountId: self.account } });
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? "",
      clientId: String(params["client_id"]),
    });
    const { resource } = params;
    grant.addResourceScope(typeof resource === "string" ? resource : RESOURCE, String(params["scope"]));
    grant.addOIDCScope(String(params["scope"]));
    const grantId = await grant.save();
    return provider.interactionFinished(
      request,
      response,
      { consent: { grantId } },
      { mergeWithLastSubmission: true },
    );
  }

  const self: TestProvider = {
    issuer,
    signingKey: privateKey,
    async forward(request) {
      const { pathname, search, host } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("x-forwarded-proto", "https");
      headers.set("x-forwarded-host", host);
      const body = request.method === "POST" ? await request.text() : undefined;
      return fetch(address + pathname + search, {
        method: request.method,
        headers,
        redirect: "manual",
        ...(body !== undefined && { body }),
      });
    },
    clientId: "demo-agent",
    confidential: CONFIDENTIAL,
    person: "approve",
    account: "someone",
    accountOf: async (token) => (await provider.AccessToken.find(token))?.accountId,
    requests,
    async scopesOf(token) {
      const found = await provider.AccessToken.find(token);
      return found?.scope?.split(" ") ?? (found === undefined ? undefined : []);
    },
    async isActive(token) {
      const found = (await provider.AccessToken.find(token)) ?? (await provider.RefreshToken.find(token));
      return found !== undefined;
    },
    close,
  };
  return self;
}

const CONFIDENTIAL = {
  basic: { clientId: "demo-agent-basic", clientSecret: "basic:+/%20secret-of-a-client-in-tests" },
  post: { clientId: "demo-agent-post", clientSecret: "post:+/%20secret-of-a-client-in-tests" },
} as const;

async function configure(
  redirectUris: readonly string[],
  privateKey: CryptoKey,
  { registration = false, documents, grant }: TestProviderOptions,
): Promise<Configuration> {
  const { key_ops: _, ...jwk } = await crypto.subtle.exportKey("jwk", privateKey);
  const common = {
    redirect_uris: [...redirectUris],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code" as const],
    id_token_signed_response_alg: "ES256" as const,
  };
  return {
    clients: [
      { ...common, client_id: "demo-agent", token_endpoint_auth_method: "none" },
      ...(["basic", "post"] as const).map((kind) => ({
        ...common,
        client_id: CONFIDENTIAL[kind].clientId,
        client_secret: CONFIDENTIAL[kind].clientSecret,
        token_endpoint_auth_method: `client_secret_${kind}` as const,
      })),
      ...(grant === undefined ? [] : [grant.client]),
    ],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    jwks: { keys: [{ ...jwk, alg: "ES256", use: "sig" }] },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    pkce: { required: () => true },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: `${accountId}@tracker.example` }),
    }),
    claims: { openid: ["sub"], email: ["email"] },
    conformIdTokenClaims: false,
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: registration, initialAccessToken: false },
      ...(documents !== undefined && { clientIdMetadataDocument: { enabled: true, ack: "draft-02" } }),
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: "issues:read issues:write read:user",
          accessTokenFormat: "opaque",
        }),
      },
    },
    ...(documents !== undefined && { fetch: async (input) => documents.fetch(new Request(input).url) }),
    ttl: { AccessToken: 3600, Grant: 86_400, Interaction: 600, RefreshToken: 86_400, Session: 600 },
  };
}
