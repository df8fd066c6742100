import { expect, test } from "vitest";
import { createMemoryCredentials } from "../../ports/credentials.ts";
import { createBrowser, hiddenFields } from "../../../../test/stages/browser.ts";
import { CHAT_ORIGIN, createChatClient } from "../../../../test/stages/chat-client.ts";
import { RESOURCE, startTestProvider } from "../../../../test/stages/oidc-provider.ts";
import { AUTH, linkTo } from "../../../../test/stages/page-stage.ts";
import { createSignInServer } from "../../../../test/stages/sign-in-server.ts";
import { CONNECT, asking, createTestRuntime } from "../../../../test/stages/test-runtime.ts";
import { createHostedPage, createMcpSignIn } from "../../index.ts";

const ISSUER = "https://login.example.com";

/** A provider that reads client id metadata documents and has no registration, and a page that it can or cannot reach. */
async function setUp({ isReachable }: { isReachable: boolean }) {
  const read: string[] = [];
  const provider = await startTestProvider([], {
    documents: {
      issuer: ISSUER,
      async fetch(url) {
        read.push(url);
        if (!isReachable) throw new TypeError("fetch failed");
        return page.fetch(new Request(url));
      },
    },
  });
  const server = createSignInServer({
    url: RESOURCE,
    authorizationServers: [ISSUER],
    scopesOf: (token) => provider.scopesOf(token),
  });
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    return request.url.startsWith(ISSUER) ? provider.forward(request) : server.fetch(request);
  };
  const errors: unknown[] = [];
  const signIn = { url: RESOURCE, service: "Tracker", scope: "issues:write" };
  const runtime = createTestRuntime(asking({ ...CONNECT, signIn }), { hostedPage: { origin: AUTH } });
  const { clock } = runtime;
  const mcpSignIn = createMcpSignIn({ origin: AUTH, fetch, client: { name: "Demo agent" }, clock });
  const credentials = createMemoryCredentials();
  const page = createHostedPage({
    origin: AUTH,
    vouch: { url: `${CHAT_ORIGIN}/run` },
    elicitations: runtime.elicitations,
    credentials,
    providers: {},
    mcpSignIn,
    clock,
    onError: (error) => errors.push(error),
  });
  const browser = createBrowser({
    [AUTH]: page.fetch,
    [CHAT_ORIGIN]: runtime.fetch,
    [ISSUER]: provider.forward,
  });
  browser.setCookie(CHAT_ORIGIN, "user", "ada");
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  const url = linkTo(elicitationId);
  async function leave() {
    const consent = await browser.visit(url);
    return browser.follow(await browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent)));
  }
  return { provider, browser, credentials, errors, read, leave, stream };
}

test("an authorization server that reads client id metadata documents needs no registration", async () => {
  const { provider, credentials, errors, read, leave, stream } = await setUp({ isReachable: true });
  expect((await leave()).text).toContain("Tracker is connected");
  await stream.done;
  const credential = await credentials.get("tracker", "ada");
  expect(read).toEqual([
    expect.stringMatching(/^https:\/\/auth\.example\.com\/auth\/mcp\/client\/[\w-]{43}$/),
  ]);
  expect(credential?.binding).toMatchObject({ issuer: ISSUER, clientId: read[0] });
  expect(await provider.scopesOf(credential?.accessToken ?? "")).toEqual(["issues:write"]);
  expect(errors).toEqual([]);
  await provider.close();
});

test("if the authorization server cannot read the document, the error tells the operator to make the page public", async () => {
  const { provider, errors, read, leave, stream } = await setUp({ isReachable: false });
  const refused = await leave();
  expect(refused.url.startsWith(ISSUER)).toBe(true);
  expect(refused.status).toBe(400);
  expect(errors).toEqual([]);
  await leave();
  expect(String(errors[0])).toContain(`make the page public on https`);
  expect(String(errors[0])).toContain(read[0]);
  await stream.cancel();
  await provider.close();
});
