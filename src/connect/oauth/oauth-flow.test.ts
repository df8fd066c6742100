import { expect, test } from "vitest";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { createMemoryCredentials } from "../ports/credentials.ts";
import { createConfiguredSignIn } from "./configured-sign-in.ts";
import { createOAuthFlow } from "./oauth-flow.ts";

test.each([undefined, null, "session", {}, { server: {}, client: {} }])(
  "a sign-in that began in another way, with the data %j, cannot be finished",
  async (data) => {
    const clock = createManualClock();
    const provider = {
      service: "Tracker",
      issuer: "https://tracker.example.com",
      clientId: "agent",
      scopes: [],
    };
    const asked: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      asked.push(input);
      return new Response();
    };
    const flow = createOAuthFlow({
      service: "Tracker",
      signIn: createConfiguredSignIn(provider, { clock, fetch }),
      offline: () => ({ scopes: [] }),
      sameGrant: async () => [],
      credentials: createMemoryCredentials(),
      clock,
    });
    const ended = await flow.finish({
      account: { toolId: "tracker", userId: "ada" },
      user: { id: "ada" },
      data,
      state: "state",
      redirectUri: "https://auth.example.com/auth/callback",
      parameters: new URLSearchParams({ code: "code", state: "state" }),
    });
    expect(ended).toMatchObject({ ok: false, reason: "unavailable", error: { name: "SignInError" } });
    expect(asked).toEqual([]);
  },
);
