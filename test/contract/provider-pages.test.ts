import { readFileSync } from "node:fs";
import { Nango } from "@nangohq/node";
import { createAgentTurn } from "elicit-kit/agent";
import { createHostedPage, createMemoryCredentials, withConnectors } from "elicit-kit/connect";
import { createRuntime } from "elicit-kit/runtime";
import { describe, expect, it } from "vitest";
import * as github from "../../docs/examples/github-account.ts";
import * as google from "../../docs/examples/google-calendar.ts";
import * as linear from "../../docs/examples/linear-server.ts";
import * as microsoft from "../../docs/examples/microsoft-mail.ts";
import * as slack from "../../docs/examples/slack-account.ts";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { createConfiguredSignIn } from "../../src/connect/oauth/configured-sign-in.ts";
import type { OAuthProvider } from "../../src/connect/oauth/oauth-provider.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { noErrors } from "../stages/no-errors.ts";
import { createScriptedModel, toolResultsSeen } from "../stages/scripted-model.ts";
import { createTestRuntime } from "../stages/test-runtime.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const PAGE = "https://auth.example.com";

describe("the page of a provider", () => {
  it.each([
    ["github", "github-account"],
    ["google", "google-calendar"],
    ["linear", "linear-server"],
    ["microsoft", "microsoft-mail"],
    ["slack", "slack-account"],
  ])(
    "docs/accounts/%s.md contains docs/examples/%s.ts unchanged, and says what was not run",
    (page, file) => {
      const text = read(`docs/accounts/${page}.md`);
      expect(text).toContain(
        `\`\`\`ts\n// docs/examples/${file}.ts\n${read(`docs/examples/${file}.ts`)}\`\`\`\n`,
      );
      expect(text).toContain("\n## What was run\n");
    },
  );
});

/** What the providers' documentation says about their endpoints and replies. */
const PLAYED: Record<"github" | "google" | "microsoft", Played> = {
  github: {
    provider: github.providers.github,
    metadataAt: "https://github.com/.well-known/oauth-authorization-server/login/oauth",
    metadata: {
      issuer: "https://github.com/login/oauth",
      authorization_endpoint: "https://github.com/login/oauth/authorize",
      token_endpoint: "https://github.com/login/oauth/access_token",
      code_challenge_methods_supported: ["S256"],
    },
    reply: { access_token: "token", token_type: "bearer", scope: "repo", expires_in: 28_800 },
    asked: { scope: "repo" },
  },
  google: {
    provider: google.providers.google,
    metadataAt: "https://accounts.google.com/.well-known/openid-configuration",
    metadata: {
      issuer: "https://accounts.google.com",
      authorization_endpoint: "https://accounts.google.com/o/oauth2/v2/auth",
      token_endpoint: "https://oauth2.googleapis.com/token",
      revocation_endpoint: "https://oauth2.googleapis.com/revoke",
      code_challenge_methods_supported: ["plain", "S256"],
    },
    reply: { access_token: "token", token_type: "Bearer", expires_in: 3599 },
    asked: { access_type: "offline", prompt: "consent" },
  },
  microsoft: {
    provider: {
      ...microsoft.providers.microsoft,
      issuer: "https://login.microsoftonline.com/8d1f3a6e-0000-4000-8000-000000000000/v2.0",
    },
    metadataAt:
      "https://login.microsoftonline.com/8d1f3a6e-0000-4000-8000-000000000000/v2.0/.well-known/openid-configuration",
    metadata: {
      issuer: "https://login.microsoftonline.com/8d1f3a6e-0000-4000-8000-000000000000/v2.0",
      authorization_endpoint: "https://login.microsoftonline.com/8d1f3a6e/oauth2/v2.0/authorize",
      token_endpoint: "https://login.microsoftonline.com/8d1f3a6e/oauth2/v2.0/token",
    },
    reply: { access_token: "token", token_type: "Bearer", expires_in: 3599 },
    asked: { scope: "openid email offline_access https://graph.microsoft.com/Mail.Read" },
  },
};

interface Played {
  provider: OAuthProvider;
  metadataAt: string;
  metadata: Record<string, unknown>;
  reply: Record<string, unknown>;
  asked: Record<string, string>;
}

describe.each(Object.entries(PLAYED))("a user of %s, played as its documentation says", (_, played) => {
  it("connects the account, and its token is refreshed", async () => {
    const { provider, metadataAt, metadata, reply, asked } = played;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { url } = new Request(input, init);
      if (url === metadataAt) return Response.json(metadata);
      if (url === metadata["token_endpoint"]) return Response.json({ ...reply, refresh_token: "more" });
      return new Response(null, { status: 404 });
    };
    const withoutName = { ...provider, accountName: undefined, clientId: "id", clientSecret: "secret" };
    const signIn = createConfiguredSignIn(withoutName, { clock: createManualClock(), fetch });
    const { url, state, trip } = await signIn.start(await signIn.discover(undefined), new Set(), PAGE);
    expect(url.origin + url.pathname).toBe(metadata["authorization_endpoint"]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...asked,
      redirect_uri: `${PAGE}${provider.redirectPath}`,
      code_challenge_method: "S256",
    });
    const credential = await signIn.finish(trip, state, new URLSearchParams({ code: "code", state }));
    expect(credential).toMatchObject({ accessToken: "token", refreshToken: "more" });
    expect(await signIn.refresh(credential)).toMatchObject({ refreshToken: "more" });
  });
});

it("a user cannot sign in to every directory of Microsoft, because its metadata names none", async () => {
  const provider = {
    ...microsoft.providers.microsoft,
    issuer: "https://login.microsoftonline.com/common/v2.0",
  };
  const signIn = createConfiguredSignIn(provider, {
    clock: createManualClock(),
    fetch: async () =>
      Response.json({
        ...PLAYED.microsoft.metadata,
        issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
      }),
  });
  await expect(signIn.discover(undefined)).rejects.toThrow("issuer");
});

it.each([
  ["list_events", google.listEvents, google.accounts.google, { items: [{ summary: "Standup" }] }, "Standup"],
  ["list_mail", microsoft.listMail, microsoft.accounts.microsoft, { value: [{ subject: "Hi" }] }, "Hi"],
] as const)(
  "%s reads the user's data with the connected account",
  async (name, tool, account, data, seen) => {
    const id = name === "list_events" ? "google" : "microsoft";
    const credentials = createMemoryCredentials();
    await credentials.set(id, "ada", { accessToken: "token" });
    const model = createScriptedModel({ [name]: {} }, "Here.");
    const asked: (string | null)[] = [];
    const runtime = createTestRuntime((turn) => runTurn(turn));
    const runTurn = createAgentTurn({
      model,
      tools: { [name]: tool },
      accounts: {
        [id]: {
          ...account,
          fetch: async (input, init) => {
            const request = new Request(input, init);
            asked.push(new URL(request.url).origin, request.headers.get("authorization"));
            return Response.json(data);
          },
        },
      },
      credentials,
      connectUrl: `${PAGE}/auth/connect`,
      requester: { name: "Your assistant" },
      clock: runtime.clock,
      onError: noErrors(),
    });
    const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
    await stream.done;
    expect(asked).toEqual([account.api, "Bearer token"]);
    expect(JSON.stringify(toolResultsSeen(model))).toContain(seen);
  },
);

it("the hosted page starts with the providers of all pages together", () => {
  const nango = new Nango({ apiKey: "00000000-0000-4000-8000-000000000000" });
  const providers = {
    ...github.providers,
    ...google.providers,
    ...microsoft.providers,
    ...slack.createProviders(nango),
  };
  const mcpSignIn = linear.createSignIn(PAGE);
  const credentials = withConnectors(createMemoryCredentials(), { providers, mcpSignIn });
  const runtime = createRuntime({
    authenticate: async () => undefined,
    allowedOrigins: [],
    onError: console.error,
  });
  const start = () =>
    createHostedPage({
      origin: PAGE,
      vouch: { url: "https://chat.example.com/run" },
      elicitations: runtime.elicitations,
      credentials,
      providers,
      mcpSignIn,
      nangoFrontend: {},
      onError: noErrors(),
    });
  expect(start).not.toThrow();
});
