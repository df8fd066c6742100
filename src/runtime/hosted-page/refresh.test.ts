import { afterAll, beforeAll, expect, test } from "vitest";
import { type Credential, createMemoryCredentials } from "../core/index.ts";
import { createBrowser } from "../testing/browser.ts";
import { type ManualClock, createManualClock } from "../testing/manual-clock.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../testing/oidc-provider.ts";
import { createOAuthClient } from "./oauth.ts";
import { type OAuthProvider, withRefresh } from "./index.ts";

const CALLBACK = "https://auth.example.com/auth/callback";
const HOUR = 3_600_000;

let provider: TestProvider;
let tracker: OAuthProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
  const { issuer, clientId } = provider;
  tracker = { service: "Tracker", issuer, clientId, scopes: ["issues:write"], resource: RESOURCE };
});
afterAll(() => provider.close());

/** What the provider gives a person who has signed in just now. */
async function signIn(clock: ManualClock): Promise<Credential> {
  const client = createOAuthClient(tracker, { clock });
  const { url, state, codeVerifier } = await client.start(CALLBACK);
  const browser = createBrowser({ "https://auth.example.com": async () => new Response("back") });
  const back = await browser.follow(await browser.get(url.href));
  return client.finish(CALLBACK, { state, codeVerifier, parameters: new URL(back.url).searchParams });
}

async function setUp(fetch?: typeof globalThis.fetch) {
  const clock = createManualClock();
  const inner = createMemoryCredentials();
  const credential = await signIn(clock);
  await inner.set("tracker", "ada", credential);
  const store = withRefresh(inner, { providers: { tracker }, clock, fetch });
  return { clock, inner, store, credential };
}

const refreshes = () =>
  provider.requests.filter(({ parameters }) => parameters.get("grant_type") === "refresh_token").length;

test("a token that is still good is handed out as it is", async () => {
  const { store, credential, clock } = await setUp();
  const before = refreshes();
  clock.advance(HOUR - 31_000);
  expect(await store.get("tracker", "ada")).toEqual(credential);
  expect(refreshes()).toBe(before);
});

test("a token that has expired, or is about to, is refreshed and kept", async () => {
  const { store, inner, credential, clock } = await setUp();
  clock.advance(HOUR - 29_000);
  const fresh = await store.get("tracker", "ada");
  expect(fresh?.accessToken).not.toBe(credential.accessToken);
  expect(await provider.isActive(fresh?.accessToken ?? "")).toBe(true);
  expect(await inner.get("tracker", "ada")).toEqual(fresh);
});

test("reads that come together share one refresh", async () => {
  const { store, clock } = await setUp();
  const before = refreshes();
  clock.advance(HOUR);
  const read = await Promise.all(Array.from({ length: 10 }, () => store.get("tracker", "ada")));
  expect(new Set(read.map((credential) => credential?.accessToken)).size).toBe(1);
  expect(refreshes()).toBe(before + 1);
});

test("a token that a server refused before its time is renewed once, however many calls were refused", async () => {
  const { store, credential } = await setUp();
  const before = refreshes();
  const renew = async () => store.renew?.("tracker", "ada", credential);
  const [one, other] = await Promise.all([renew(), renew()]);
  expect(one?.accessToken).not.toBe(credential.accessToken);
  expect(other).toEqual(one);
  expect(await renew()).toEqual(one);
  expect(refreshes()).toBe(before + 1);
});

test("what the provider will not refresh is forgotten, so that the person is asked to connect again", async () => {
  const { store, inner, credential, clock } = await setUp();
  await inner.set("tracker", "ada", { ...credential, refreshToken: "revoked" });
  clock.advance(HOUR);
  expect(await store.get("tracker", "ada")).toBeUndefined();
  expect(await inner.get("tracker", "ada")).toBeUndefined();
});

test("an expired token without a refresh token is forgotten", async () => {
  const { store, inner, clock } = await setUp();
  const expired = { accessToken: "b", expiresAt: clock.now() };
  await inner.set("tracker", "bob", expired);
  expect(await store.get("tracker", "bob")).toBeUndefined();
  expect(await inner.get("tracker", "bob")).toBeUndefined();
  await inner.set("of another provider", "bob", expired);
  expect(await store.get("of another provider", "bob")).toEqual(expired);
});

test("while the provider is down reading rejects without a secret in its words, and nothing is lost", async () => {
  const { store, inner, credential, clock } = await setUp(() =>
    Promise.reject(new TypeError("fetch failed")),
  );
  clock.advance(HOUR);
  const error: unknown = await store.get("tracker", "ada").catch((reason: unknown) => reason);
  expect(String(error)).toContain(`elicit-kit: OAuth with ${provider.issuer} failed`);
  expect(JSON.stringify(error)).not.toContain(credential.refreshToken);
  expect(await inner.get("tracker", "ada")).toEqual(credential);
});
