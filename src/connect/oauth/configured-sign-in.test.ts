import { type ServerResponse, createServer } from "node:http";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../test/stages/listen.ts";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { withConnectors } from "../index.ts";
import type { OAuthProvider } from "./oauth-provider.ts";
import { createMemoryCredentials } from "../ports/credentials.ts";
import { createConfiguredSignIn } from "./configured-sign-in.ts";
import type { SignIn, SignInTrip } from "./oauth-client.ts";

const ISSUER = "https://tracker.example.com";
const PAGE = "https://auth.example.com";
const TRACKER: OAuthProvider = { service: "Tracker", issuer: ISSUER, clientId: "agent", scopes: [] };
/** A stored credential with a token that the provider may refresh. */
const OLD = { accessToken: "old", refreshToken: "old" };
const GOOD = { access_token: "token", token_type: "Bearer" };

const json = (body: unknown) => Response.json(body);

/** A provider that replies to every token request with `reply`, and to all others normally. */
function answering(
  reply: (asked: URLSearchParams) => Response,
  more: Readonly<Record<string, unknown>> = {},
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith("/token")) return reply(new URLSearchParams(await request.text()));
    return json({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/auth`,
      token_endpoint: `${ISSUER}/token`,
      authorization_response_iss_parameter_supported: true,
      ...more,
    });
  };
}

const start = async (signIn: SignIn) => signIn.start(await signIn.discover(undefined), new Set(), PAGE);

async function finish(reply: () => Response, query: Record<string, string> = {}) {
  const clock = createManualClock();
  const signIn = createConfiguredSignIn(TRACKER, { clock, fetch: answering(reply) });
  const { state, trip } = await start(signIn);
  const parameters = new URLSearchParams({ code: "code", state, iss: ISSUER, ...query });
  const credential = await signIn.finish(trip, state, parameters);
  return { credential, now: clock.now() };
}

test.each<[string, () => Response]>([
  ["with a token of another type", () => json({ ...GOOD, token_type: "mac" })],
  ["with a lifetime below zero", () => json({ ...GOOD, expires_in: -1 })],
  ["with a lifetime that is no number", () => json({ ...GOOD, expires_in: "soon" })],
  ["with a token that no header can carry", () => json({ ...GOOD, access_token: "to\nken" })],
  ["with a token that is not ASCII", () => json({ ...GOOD, access_token: "tokén" })],
  ["that is HTML", () => new Response("<p>", { headers: { "content-type": "text/html" } })],
  [
    "that is cut off",
    () => new Response('{"access_token', { headers: { "content-type": "application/json" } }),
  ],
  ["that leads elsewhere", () => Response.redirect("https://evil.example/token", 307)],
])("sign-in fails with a token reply %s, and the error contains no token", async (_, reply) => {
  const failed: unknown = await finish(reply).catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: "SignInError" });
  expect(String(failed)).not.toMatch(/to\s?k[eé]n"/);
});

test("an endless token response is read up to one megabyte", async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      // Stops here, so that a reader without a limit fails the test but not the machine.
      if (sent > 64) controller.close();
      else controller.enqueue(new Uint8Array(64 * 1024).fill(32));
    },
  });
  const endless = () => new Response(body, { headers: { "content-type": "application/json" } });
  await expect(finish(endless)).rejects.toMatchObject({ name: "SignInError" });
  expect(sent).toBeLessThan(24);
});

test("a callback with both an error and a code counts as the error", async () => {
  const failed = finish(() => json(GOOD), { error: "access_denied" });
  await expect(failed).rejects.toMatchObject({ code: "access_denied" });
});

test("a denial or failure of a provider is one line in the log, without the provider's text", async () => {
  const secrets = { error_description: "hunter2", error_uri: "https://x.example/hunter2" };
  const refused = { error: "invalid_grant", ...secrets };
  const odd = { error: "hunter2 denied", ...secrets };
  const faults: [() => Response, Record<string, string>, string][] = [
    [() => json(GOOD), { error: "access_denied", ...secrets }, "access_denied"],
    [() => Response.json(refused, { status: 400 }), {}, "invalid_grant"],
    [() => Response.json(odd, { status: 400 }), {}, "ResponseBodyError (status 400"],
    [() => new Response("hunter2", { status: 500 }), {}, "unexpected HTTP status code"],
    [() => json({ ok: false, message: "hunter2" }), {}, "server_error"],
    [() => json({ token_type: "hunter2", access_token: "hunter2" }), {}, "unsupported `token_type` value"],
    [
      () => {
        throw new TypeError("cannot fetch https://hunter2@x.example", { cause: { code: "hunter2" } });
      },
      {},
      "TypeError",
    ],
  ];
  for (const [reply, query, words] of faults) {
    const failed: unknown = await finish(reply, query).catch((error: unknown) => error);
    const line = inspect(failed, { depth: 20 });
    expect(line).toContain(words);
    expect(line).not.toMatch(/hunter2|\n/);
  }
});

test.each(["http://tracker.example.com", "tracker.example.com", "ftp://tracker.example.com"])(
  "a provider cannot be configured with the issuer %s",
  (issuer) => {
    const create = () => createConfiguredSignIn({ ...TRACKER, issuer }, { clock: createManualClock() });
    expect(create).toThrow("elicit-kit: an issuer must be https, or http on a loopback address");
  },
);

test("a provider without a resource and scopes is asked for none", async () => {
  const forms: URLSearchParams[] = [];
  const fetch = answering((asked) => {
    forms.push(asked);
    return json(GOOD);
  });
  const signIn = createConfiguredSignIn(TRACKER, { clock: createManualClock(), fetch });
  const { url, state, trip } = await start(signIn);
  await signIn.finish(trip, state, new URLSearchParams({ code: "code", state, iss: ISSUER }));
  await signIn.refresh(OLD);
  for (const asked of [url.searchParams, ...forms]) {
    expect([asked.get("resource"), asked.get("scope"), asked.get("prompt")]).toEqual([null, null, null]);
  }
  expect(forms).toHaveLength(2);
});

test.each<[string, (trip: SignInTrip) => SignInTrip]>([
  ["another issuer", (trip) => ({ ...trip, server: { ...trip.server, issuer: "https://old.example.com" } })],
  ["another client", (trip) => ({ ...trip, client: { clientId: "old" } })],
  ["a server that was discovered", (trip) => ({ ...trip, serverUrl: "https://mcp.example.com/" })],
])("a sign-in that began with %s sends its code nowhere", async (_, before) => {
  const codes: unknown[] = [];
  const fetch = answering((asked) => {
    codes.push(asked);
    return json(GOOD);
  });
  const signIn = createConfiguredSignIn(TRACKER, { clock: createManualClock(), fetch });
  const { state, trip } = await start(signIn);
  const parameters = new URLSearchParams({ code: "code", state, iss: ISSUER });
  const finishing = signIn.finish(before(trip), state, parameters);
  await expect(finishing).rejects.toThrow("began at another provider");
  expect(codes).toEqual([]);
});

/** An ID token. The provider is asked directly, so its signature is not checked (OpenID Connect Core, 3.1.3.7). */
function idToken(claims: Readonly<Record<string, unknown>>, now: number): string {
  const seconds = Math.floor(now / 1000);
  const all = { iss: ISSUER, aud: "agent", sub: "7", iat: seconds, exp: seconds + 60, ...claims };
  const parts = [{ alg: "RS256" }, all, "signature"];
  return parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
}

const down = () => Promise.reject(new Error("down"));
test.each<[string, Record<string, unknown>, OAuthProvider["accountName"], string | undefined, number]>([
  ["the e-mail address", { email: "a@x.example", name: "Ada" }, undefined, "a@x.example", 0],
  ["the user name", { email: "", preferred_username: "ada", name: "Ada" }, undefined, "ada", 0],
  ["the name", { email: 7, name: "Ada" }, undefined, "Ada", 0],
  ["the beginning of a long name", { name: "x".repeat(300) }, undefined, "x".repeat(200), 0],
  ["nothing", {}, undefined, undefined, 0],
  ["what the application reads", { name: "Ada" }, async () => "ada7", "ada7", 0],
  ["the name, if the application reads none", { name: "Ada" }, async () => "", "Ada", 0],
  ["the name, if the application cannot read it", { name: "Ada" }, down, "Ada", 1],
])("an account is called by %s", async (_, claims, accountName, account, reported) => {
  const clock = createManualClock(Date.now());
  const errors: unknown[] = [];
  const signIn = createConfiguredSignIn(
    { ...TRACKER, accountName },
    {
      clock,
      fetch: answering(() => json({ ...GOOD, id_token: idToken(claims, Date.now()) })),
      onError: (error) => errors.push(error),
    },
  );
  const { state, trip } = await start(signIn);
  const parameters = new URLSearchParams({ code: "code", state, iss: ISSUER });
  const credential = await signIn.finish(trip, state, parameters);
  expect(credential).toEqual({ accessToken: "token", accountId: "7", account });
  expect(errors).toHaveLength(reported);
});

test.each([
  ["has no address for it", undefined, 0],
  ["replies without content", `${ISSUER}/revoke/token`, 1],
])("an account is removed without an error at a provider that %s", async (_, endpoint, times) => {
  let revoked = 0;
  const fetch = answering(
    () => {
      revoked += 1;
      return new Response(null, { status: 204 });
    },
    { revocation_endpoint: endpoint },
  );
  const signIn = createConfiguredSignIn(TRACKER, { clock: createManualClock(), fetch });
  await signIn.revoke(OLD);
  expect(revoked).toBe(times);
});

test("a provider that announces the iss parameter must send it in every callback", async () => {
  await expect(finish(() => json(GOOD), { iss: "" })).rejects.toMatchObject({ name: "SignInError" });
});

test.each<[string, Record<string, unknown>, string]>([
  ["takes PKCE only in plain text", { code_challenge_methods_supported: ["plain"] }, "PKCE"],
  [
    "names no address to sign in",
    { authorization_endpoint: undefined },
    "lacks the authorization or the token endpoint",
  ],
  [
    "signs in over plain http",
    { authorization_endpoint: "http://tracker.example.com/auth" },
    "not an https URL",
  ],
  ["signs in by a script", { authorization_endpoint: "javascript:alert(1)" }, "not an https URL"],
  ["has metadata of another issuer", { issuer: "https://evil.example" }, "issuer"],
])("no user is sent to a provider that %s", async (_, metadata, reason) => {
  const signIn = createConfiguredSignIn(TRACKER, {
    clock: createManualClock(),
    fetch: answering(() => json(GOOD), metadata),
  });
  await expect(start(signIn)).rejects.toThrow(reason);
});

const LOCAL = "http://127.0.0.1:4000";
const EVERYWHERE = ["authorization_endpoint", "token_endpoint", "revocation_endpoint"] as const;

/** The results of a whole sign-in: to the provider, back, a refresh, and a revocation. */
async function roundTrip(
  issuer: string,
  metadata: Record<string, unknown>,
  asked: string[] = [],
  answer = answering(() => json(GOOD), {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    ...metadata,
  }),
) {
  const signIn = createConfiguredSignIn(
    { ...TRACKER, issuer, clientSecret: "secret" },
    {
      clock: createManualClock(),
      fetch: async (input, init) => {
        asked.push(new Request(input, init).url);
        return answer(input, init);
      },
    },
  );
  const steps = [
    () => signIn.discover(undefined),
    async () => {
      const { url, state, trip: left } = await start(signIn);
      asked.push(url.href);
      await signIn.finish(left, state, new URLSearchParams({ code: "code", state, iss: issuer }));
    },
    () => signIn.refresh(OLD),
    () => signIn.revoke({ accessToken: "token" }),
  ];
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  return failures;
}

test.each<[string, string, Record<string, string>, string]>([
  ...EVERYWHERE.map((name): [string, string, Record<string, string>, string] => [
    `an https provider whose ${name} is plain http`,
    ISSUER,
    { [name]: "http://x.example/x" },
    "x.example",
  ]),
  // All addresses are checked alike.
  [
    "an https provider whose token_endpoint is on loopback http",
    ISSUER,
    { token_endpoint: `${LOCAL}/x` },
    LOCAL,
  ],
  [
    "an https provider whose token_endpoint is on localhost",
    ISSUER,
    { token_endpoint: "http://localhost/x" },
    "localhost",
  ],
  [
    "a loopback provider whose token_endpoint is plain http",
    LOCAL,
    { token_endpoint: "http://x.example/x" },
    "x.example",
  ],
  [
    "a provider whose token_endpoint has a user name",
    ISSUER,
    { token_endpoint: "https://u@x.example/x" },
    "x.example",
  ],
  [
    "a provider whose token_endpoint has a password",
    ISSUER,
    { token_endpoint: "https://:p@x.example/x" },
    "x.example",
  ],
  [
    "a provider whose token_endpoint has a fragment",
    ISSUER,
    { token_endpoint: "https://x.example/x#y" },
    "x.example",
  ],
])("no user and no secret is sent to %s", async (_, issuer, metadata, place) => {
  const asked: string[] = [];
  const failures = await roundTrip(issuer, metadata, asked);
  expect(failures).toHaveLength(4);
  for (const failure of failures) expect(String(failure)).toMatch(/its \w+_endpoint is not/);
  expect(asked.filter((url) => url.includes(place) && !url.includes("/.well-known/"))).toEqual([]);
});

test.each([
  ["an https provider", ISSUER, {}],
  ["a provider on loopback, for development", LOCAL, {}],
  [
    "a provider on loopback whose tokens come from another port of it",
    LOCAL,
    { token_endpoint: "http://localhost:5000/token" },
  ],
  [
    "an https provider whose tokens come from another host",
    ISSUER,
    { token_endpoint: "https://api.example.com/token" },
  ],
])("users of %s can connect, and their tokens are refreshed and revoked", async (_, issuer, metadata) => {
  const failures = await roundTrip(issuer, metadata);
  expect(failures).toEqual([]);
});

test.each([
  "state",
  "redirect_uri",
  "code_challenge",
  "CODE_CHALLENGE_METHOD",
  "client_id",
  "response_type",
  "response_mode",
  "scope",
  "resource",
  "nonce",
  "request",
  "request_uri",
])("the operator cannot set %s, which protects the sign-in", (name) => {
  const provider = { ...TRACKER, authorizationParams: { [name]: "x" } };
  const create = () => createConfiguredSignIn(provider, { clock: createManualClock() });
  expect(create).toThrow(`authorizationParams of Tracker has "${name}", which the kit sets itself`);
});

const WELL_KNOWN = [
  "/.well-known/oauth-authorization-server/tenant",
  "/.well-known/openid-configuration/tenant",
  "/tenant/.well-known/openid-configuration",
];

test.each([...WELL_KNOWN, "/token", "/revoke"])(
  "a redirect of a provider from %s to another server is not followed",
  async (path) => {
    const metadata = () => ({
      issuer: `${own.url}/tenant`,
      authorization_endpoint: `${own.url}/auth`,
      token_endpoint: `${own.url}/token`,
      revocation_endpoint: `${own.url}/revoke`,
    });
    const asked: string[] = [];
    const reply = (url: string, response: ServerResponse) => {
      const body = WELL_KNOWN.includes(url) ? metadata() : GOOD;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const evil = await listen(
      createServer(({ url = "" }, response) => {
        asked.push(url);
        reply(url, response);
      }),
    );
    onTestFinished(evil.close);
    const own = await listen(
      createServer(({ url = "" }, response) => {
        if (url === path) response.writeHead(307, { location: evil.url + url }).end();
        else if (WELL_KNOWN.includes(url) && WELL_KNOWN.includes(path)) response.writeHead(404).end();
        else reply(url, response);
      }),
    );
    onTestFinished(own.close);
    const failures = await roundTrip(`${own.url}/tenant`, {}, [], globalThis.fetch);
    expect(asked).toEqual([]);
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure).toMatchObject({ name: "SignInError" });
  },
);

test("a token with a lifetime of zero is used until the server refuses it", async () => {
  const { credential } = await finish(() => json({ ...GOOD, expires_in: 0 }));
  expect(credential).toEqual({ accessToken: "token" });
});

test("an absurdly long lifetime still gives a date that a store can save", async () => {
  const { credential } = await finish(() => json({ ...GOOD, expires_in: 1e308 }));
  expect(JSON.parse(JSON.stringify(credential))).toEqual(credential);
});

test("a token that lives half a minute and cannot be refreshed is used for that half minute", async () => {
  const clock = createManualClock();
  const store = createMemoryCredentials();
  const credentials = withConnectors(store, { providers: { tracker: TRACKER }, clock });
  const short = { accessToken: "token", expiresAt: clock.now() + 20_000 };
  await credentials.set("tracker", "ada", short);
  expect(await credentials.get("tracker", "ada")).toEqual(short);
  clock.advance(20_000);
  expect(await credentials.get("tracker", "ada")).toBeUndefined();
});

const NULLS = { expires_in: null, refresh_token: null, scope: null, id_token: null };

test.each(Object.keys(NULLS))("sign-in and refresh accept a null %s in a token reply", async (name) => {
  const reply = () => json({ ...GOOD, [name]: null });
  expect((await finish(reply)).credential).toEqual({ accessToken: "token" });
  const signIn = createConfiguredSignIn(TRACKER, { clock: createManualClock(), fetch: answering(reply) });
  expect(await signIn.refresh(OLD)).toEqual({ accessToken: "token", refreshToken: "old" });
});

test.each<[string, readonly string[] | undefined, Partial<OAuthProvider>, "header" | "body"]>([
  ["names no method", undefined, {}, "header"],
  ["accepts Basic and the form", ["client_secret_post", "client_secret_basic"], {}, "header"],
  ["accepts only the form", ["client_secret_post"], {}, "body"],
  [
    "accepts only Basic, set to the form",
    ["client_secret_basic"],
    { tokenEndpointAuthMethod: "client_secret_post" },
    "header",
  ],
  ["names no method, set to the form", undefined, { tokenEndpointAuthMethod: "client_secret_post" }, "body"],
])("the client secret reaches a provider that %s", async (_, methods, options, where) => {
  const seen: { header: string | null; body: string | null }[] = [];
  const provider = { ...TRACKER, clientSecret: "s:ecret", ...options };
  const answer = answering(() => json(GOOD), { token_endpoint_auth_methods_supported: methods });
  const signIn = createConfiguredSignIn(provider, {
    clock: createManualClock(),
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.url.endsWith("/token")) {
        const body = new URLSearchParams(await request.clone().text()).get("client_secret");
        seen.push({ header: request.headers.get("authorization"), body });
      }
      return answer(request);
    },
  });
  await signIn.refresh(OLD);
  const header = `Basic ${btoa("agent:s%3Aecret")}`;
  expect(seen).toEqual([where === "header" ? { header, body: null } : { header: null, body: "s:ecret" }]);
});
