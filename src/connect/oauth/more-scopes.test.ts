import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { hiddenFields } from "../../../test/stages/browser.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";
import { AUTH, CALLBACK, createPageStage } from "../../../test/stages/page-stage.ts";
import { CONNECT, asking } from "../../../test/stages/test-runtime.ts";
import { isConnected } from "../index.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.person = "approve";
});

/** A call of the tracker that needs more scopes. The operator has configured its provider with `issues:read`. */
async function setUp(scope: string, scopeWords: Readonly<Record<string, string>> = {}) {
  const signIn = { url: RESOURCE, service: "Tracker", scope };
  const stage = await createPageStage(provider, {
    runtime: {
      runTurn: asking({ ...CONNECT, signIn }),
      isCompleted: (record) => isConnected(stage.credentials)(record),
    },
    page: {
      providers: {
        tracker: {
          service: "Tracker",
          issuer: provider.issuer,
          clientId: provider.clientId,
          scopes: ["issues:read"],
          resource: RESOURCE,
          scopeWords,
        },
      },
    },
  });
  return stage;
}

const WORDS = { "issues:read": "read your issues", "issues:write": "write issues for you" };

test("a configured provider is asked for the scopes that the refused call needs", async () => {
  const s = await setUp("issues:read issues:write", WORDS);
  await s.credentials.set("tracker", "ada", { accessToken: "weak", scope: "issues:read" });
  const consent = await s.browser.visit(s.url);
  expect(consent.text).toContain("write issues for you");
  await s.browser.follow(await s.browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent)));
  expect(provider.requests.findLast(({ path }) => path === "/auth")?.parameters.get("scope")).toBe(
    "issues:read issues:write",
  );
  const stored = await s.credentials.get("tracker", "ada");
  expect(stored?.accessToken).not.toBe("weak");
  expect(stored?.scope).toBe("issues:read issues:write");
  expect(s.errors).toEqual([]);
});

test("a server cannot request a scope at the operator's provider that the operator does not know", async () => {
  const s = await setUp("issues:read admin:everything", WORDS);
  const consent = await s.browser.visit(s.url);
  expect(consent.text).not.toContain("admin");
  const left = await s.browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent));
  expect(new URL(left.headers.get("location") ?? "").searchParams.get("scope")).toBe("issues:read");
});

test("the page says for which tool the connection is needed", async () => {
  const s = await setUp("issues:read");
  expect((await s.browser.visit(s.url)).text).toMatch(/<dt>Needed for<\/dt>\s*<dd><bdi>Create issue<\/bdi>/);
});

test("'I've finished' leaves the request open until the user has allowed the additional scopes", async () => {
  const s = await setUp("issues:read issues:write", WORDS);
  await s.credentials.set("tracker", "ada", { accessToken: "weak", scope: "issues:read" });
  const { clock } = s.runtime;
  const idle = clock.waiting;
  const answering = s.ada.answer("c1", { elicitationId: s.elicitationId, action: "accept" });
  // The answer checks three times for the credential.
  for (let pauses = 0; pauses < 2; pauses += 1) {
    await vi.waitUntil(() => clock.waiting > idle, { interval: 1 });
    clock.advance(500);
  }
  expect((await answering).status).toBe(202);
  expect((await s.runtime.elicitations.get(s.elicitationId))?.status).toBe("pending");

  const consent = await s.browser.visit(s.url);
  await s.browser.follow(await s.browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent)));
  expect((await s.runtime.elicitations.get(s.elicitationId))?.status).toBe("accepted");
});
