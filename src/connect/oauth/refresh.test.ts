import { afterAll, beforeAll, expect, test } from "vitest";
import { type Credential, type CredentialStore, createMemoryCredentials } from "../ports/credentials.ts";
import { createBrowser } from "../../../test/stages/browser.ts";
import { type ManualClock, createManualClock } from "../../base/testing/manual-clock.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";
import { createConfiguredSignIn } from "./configured-sign-in.ts";
import { withConnectors } from "../index.ts";
import type { OAuthProvider } from "./oauth-provider.ts";

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

/** The reply of the provider for a user who has just signed in. */
async function signIn(clock: ManualClock): Promise<Credential> {
  const configured = createConfiguredSignIn(tracker, { clock });
  const plan = await configured.discover(undefined);
  const { url, state, trip } = await configured.start(plan, new Set(), "https://auth.example.com");
  const browser = createBrowser({ "https://auth.example.com": async () => new Response("back") });
  const back = await browser.follow(await browser.get(url.href));
  return configured.finish(trip, state, new URL(back.url).searchParams);
}

async function setUp(fetch?: typeof globalThis.fetch) {
  const clock = createManualClock();
  const inner = createMemoryCredentials();
  const credential = await signIn(clock);
  await inner.set("tracker", "ada", credential);
  const store = withConnectors(inner, { providers: { tracker }, clock, fetch });
  return { clock, inner, store, credential };
}

const refreshes = () =>
  provider.requests.filter(({ parameters }) => parameters.get("grant_type") === "refresh_token").length;

test("a valid token is returned unchanged", async () => {
  const { store, credential, clock } = await setUp();
  const before = refreshes();
  clock.advance(HOUR - 31_000);
  expect(await store.get("tracker", "ada")).toEqual(credential);
  expect(refreshes()).toBe(before);
});

test("a token that has expired or is about to is refreshed and stored", async () => {
  const { store, inner, credential, clock } = await setUp();
  clock.advance(HOUR - 29_000);
  const fresh = await store.get("tracker", "ada");
  expect(fresh?.accessToken).not.toBe(credential.accessToken);
  expect(await provider.isActive(fresh?.accessToken ?? "")).toBe(true);
  expect(await inner.get("tracker", "ada")).toEqual(fresh);
});

test("a refreshed token keeps the account of the original token", async () => {
  const { store, inner, credential, clock } = await setUp();
  const connected = { account: "ada@tracker.example", accountId: "7", connectedAt: clock.now() };
  await inner.set("tracker", "ada", { ...credential, ...connected });
  clock.advance(HOUR);
  const fresh = await store.get("tracker", "ada");
  expect(fresh?.accessToken).not.toBe(credential.accessToken);
  expect(fresh).toMatchObject(connected);
});

test("concurrent reads share one refresh", async () => {
  const { store, clock } = await setUp();
  const before = refreshes();
  clock.advance(HOUR);
  const read = await Promise.all(Array.from({ length: 10 }, () => store.get("tracker", "ada")));
  expect(new Set(read.map((credential) => credential?.accessToken)).size).toBe(1);
  expect(refreshes()).toBe(before + 1);
});

test("a token is refreshed as often as it expires", async () => {
  const { store, clock } = await setUp();
  const before = refreshes();
  const tokens = new Set<string | undefined>();
  for (let hour = 1; hour <= 3; hour += 1) {
    clock.advance(HOUR);
    tokens.add((await store.get("tracker", "ada"))?.accessToken);
  }
  expect(tokens.size).toBe(3);
  expect(refreshes()).toBe(before + 3);
});

test("two users whose tokens expire at the same time each get a token of their own", async () => {
  const { store, inner, clock } = await setUp();
  await inner.set("tracker", "bob", await signIn(clock));
  clock.advance(HOUR);
  const before = refreshes();
  const fresh = await Promise.all(["ada", "bob"].map((user) => store.get("tracker", user)));
  expect(refreshes()).toBe(before + 2);
  expect(fresh[0]?.accessToken).not.toBe(fresh[1]?.accessToken);
  expect(fresh).toEqual([await inner.get("tracker", "ada"), await inner.get("tracker", "bob")]);
  // A server that refuses a token of this moment gets no other one, although another user has refreshed since.
  for (const [index, user] of ["ada", "bob"].entries()) {
    const refused = fresh[index];
    if (refused !== undefined) expect(await store.renew?.("tracker", user, refused)).toBeUndefined();
  }
  expect(refreshes()).toBe(before + 2);
});

test("a user who disconnects while a refresh waits for another process stays disconnected", async () => {
  const { inner, clock } = await setUp();
  const exclusively: NonNullable<CredentialStore["exclusively"]> = async (toolId, userId, work) => {
    await inner.delete(toolId, userId);
    return work();
  };
  const store = withConnectors({ ...inner, exclusively }, { providers: { tracker }, clock });
  clock.advance(HOUR);
  const before = refreshes();
  expect(await store.get("tracker", "ada")).toBeUndefined();
  expect(refreshes()).toBe(before);
});

test("two processes that share a store and its lock refresh once", async () => {
  const clock = createManualClock();
  const inner = createMemoryCredentials();
  await inner.set("tracker", "ada", await signIn(clock));
  let queue: Promise<unknown> = Promise.resolve();
  const exclusively: NonNullable<CredentialStore["exclusively"]> = (_toolId, _userId, work) => {
    const done = queue.then(work);
    queue = done;
    return done;
  };
  const [one, two] = [0, 1].map(() =>
    withConnectors({ ...inner, exclusively }, { providers: { tracker }, clock }),
  );
  clock.advance(HOUR);
  const before = refreshes();
  const [first, second] = await Promise.all([one?.get("tracker", "ada"), two?.get("tracker", "ada")]);
  expect(refreshes()).toBe(before + 1);
  expect(second).toEqual(first);
});

test("a token that a server refuses early is refreshed once, however many calls were refused", async () => {
  const { store, credential } = await setUp();
  const before = refreshes();
  const renew = async () => store.renew?.("tracker", "ada", credential);
  const [one, other] = await Promise.all([renew(), renew()]);
  expect(one?.accessToken).not.toBe(credential.accessToken);
  expect(other).toEqual(one);
  expect(await renew()).toEqual(one);
  expect(refreshes()).toBe(before + 1);
});

test("a credential that the provider refuses to refresh is deleted, and the user is asked to connect again", async () => {
  const { store, inner, credential, clock } = await setUp();
  await inner.set("tracker", "ada", { ...credential, refreshToken: "revoked" });
  clock.advance(HOUR);
  expect(await store.get("tracker", "ada")).toBeUndefined();
  expect(await inner.get("tracker", "ada")).toBeUndefined();
});

test("an expired token without a refresh token is deleted", async () => {
  const { store, inner, clock } = await setUp();
  const expired = { accessToken: "b", expiresAt: clock.now() };
  await inner.set("tracker", "bob", expired);
  expect(await store.get("tracker", "bob")).toBeUndefined();
  expect(await inner.get("tracker", "bob")).toBeUndefined();
  await inner.set("of another provider", "bob", expired);
  expect(await store.get("of another provider", "bob")).toEqual(expired);
});

test("while the provider is down a read rejects with an error without secrets, and the credential is kept", async () => {
  const { store, inner, credential, clock } = await setUp(() =>
    Promise.reject(new TypeError("fetch failed")),
  );
  clock.advance(HOUR);
  const error: unknown = await store.get("tracker", "ada").catch((reason: unknown) => reason);
  expect(String(error)).toContain(`elicit-kit: the sign-in to Tracker at ${provider.issuer} failed`);
  expect(JSON.stringify(error)).not.toContain(credential.refreshToken);
  expect(await inner.get("tracker", "ada")).toEqual(credential);
});

test("after an unknown error code of the provider the user can connect again, and the credential is kept until then", async () => {
  let isRefusing = true;
  const { store, inner, credential, clock } = await setUp(async (input, init) => {
    const isToken = new URL(new Request(input).url).pathname === "/token";
    if (isToken && isRefusing) return Response.json({ error: "unauthorized_client" }, { status: 403 });
    return fetch(input, init);
  });
  clock.advance(HOUR);
  expect(await store.get("tracker", "ada")).toBeUndefined();
  expect(await inner.get("tracker", "ada")).toEqual(credential);
  isRefusing = false;
  expect((await store.get("tracker", "ada"))?.accessToken).not.toBe(credential.accessToken);
  await store.set("tracker", "ada", { accessToken: "of another sign-in" });
  expect(await store.get("tracker", "ada")).toEqual({ accessToken: "of another sign-in" });
});

test("when the provider no longer knows the client, users are not asked to connect again", async () => {
  const { store, inner, credential, clock } = await setUp(async (input, init) => {
    const isToken = new URL(new Request(input).url).pathname === "/token";
    return isToken ? Response.json({ error: "invalid_client" }, { status: 401 }) : fetch(input, init);
  });
  clock.advance(HOUR);
  await expect(store.get("tracker", "ada")).rejects.toMatchObject({ code: "invalid_client" });
  expect(await inner.get("tracker", "ada")).toEqual(credential);
});

/** An expired token, and an event that happens while the provider is refreshing it. */
async function setUpRace(meanwhile: (inner: CredentialStore) => Promise<void>) {
  const issued: { access_token: string; refresh_token: string }[] = [];
  const set = await setUp(async (input, init) => {
    const response = await fetch(input, init);
    if (init?.body instanceof URLSearchParams && init.body.get("grant_type") === "refresh_token") {
      if (response.ok) issued.push(await response.clone().json());
      await meanwhile(set.store);
    }
    return response;
  });
  set.clock.advance(HOUR);
  return { ...set, issued };
}

test("a user who disconnects during a refresh stays disconnected, and the new token is revoked", async () => {
  const { store, inner, issued } = await setUpRace((racing) => racing.delete("tracker", "ada"));
  expect(await store.get("tracker", "ada")).toBeUndefined();
  expect(await inner.get("tracker", "ada")).toBeUndefined();
  expect(issued).toHaveLength(1);
  for (const { access_token, refresh_token } of issued) {
    expect(await provider.isActive(refresh_token)).toBe(false);
    expect(await provider.isActive(access_token)).toBe(false);
  }
});

test("a user who reconnects during a refresh keeps the new connection", async () => {
  const anew = { accessToken: "of another sign-in" };
  const { store, inner, issued } = await setUpRace((racing) => racing.set("tracker", "ada", anew));
  expect(await store.get("tracker", "ada")).toEqual(anew);
  expect(await inner.get("tracker", "ada")).toEqual(anew);
  // Some providers would revoke the new connection, too.
  expect(await provider.isActive(issued[0]?.refresh_token ?? "")).toBe(true);
});

test("a user who reconnects while the old token is refused keeps the new connection", async () => {
  const anew = { accessToken: "of another sign-in" };
  const { store, inner, credential } = await setUpRace((racing) => racing.set("tracker", "ada", anew));
  await inner.set("tracker", "ada", { ...credential, refreshToken: "revoked" });
  expect(await store.get("tracker", "ada")).toEqual(anew);
  expect(await inner.get("tracker", "ada")).toEqual(anew);
});

test("a user who reconnects while the provider refuses for an unknown reason keeps the new connection", async () => {
  const anew = { accessToken: "of another sign-in" };
  let tries = 0;
  const set = await setUp(async (input, init) => {
    if (new Request(input, init).method !== "POST") return fetch(input, init);
    tries += 1;
    await set.inner.set("tracker", "ada", anew);
    return Response.json({ error: "unauthorized_client" }, { status: 403 });
  });
  const { scope: _scope, ...unscoped } = set.credential;
  await set.inner.set("tracker", "ada", unscoped);
  set.clock.advance(HOUR);
  expect(await set.store.get("tracker", "ada")).toEqual(anew);
  // Without known scopes there is nothing else to try.
  expect(tries).toBe(1);
});

test.each<[string, () => Promise<Response>]>([
  ["is answered with 503", async () => new Response(null, { status: 503 })],
  ["reaches no server", () => Promise.reject(new TypeError("fetch failed"))],
  ["takes too long", () => Promise.reject(new DOMException("too long", "TimeoutError"))],
  [
    "is answered with an error of the server",
    async () => Response.json({ error: "server_error" }, { status: 400 }),
  ],
])("at a provider that wants the scopes again, the account stays when that try %s", async (_, outage) => {
  let tries = 0;
  const { store, inner, credential, clock } = await setUp(async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== "POST") return fetch(request);
    tries += 1;
    const isFirst = !new URLSearchParams(await request.text()).has("scope");
    return isFirst ? Response.json({ error: "invalid_request" }, { status: 400 }) : outage();
  });
  clock.advance(HOUR);
  await expect(store.get("tracker", "ada")).rejects.toThrow("elicit-kit: the sign-in to Tracker");
  expect(await inner.get("tracker", "ada")).toEqual(credential);
  expect(tries).toBe(2);
});
