import { expect, test } from "vitest";
import { createMemoryCredentials } from "../ports/credentials.ts";
import { CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createHostedPage } from "../index.ts";
import type { OAuthProvider } from "./oauth-provider.ts";

const LINEAR: OAuthProvider = {
  service: "Linear",
  issuer: "https://linear.example.com",
  clientId: "agent",
  scopes: [],
};
const GITHUB: OAuthProvider = { ...LINEAR, service: "GitHub", issuer: "https://github.example.com" };

function pageWith(providers: Readonly<Record<string, OAuthProvider>>) {
  const { elicitations } = createTestRuntime(asking(CONNECT));
  return createHostedPage({
    origin: "https://auth.example.com",
    vouch: { url: "https://chat.example.com/run" },
    elicitations,
    credentials: createMemoryCredentials(),
    providers,
    onError: () => {},
  });
}

test.each<[string, OAuthProvider, OAuthProvider]>([
  ["the default path", LINEAR, GITHUB],
  ["one path by name", { ...LINEAR, redirectPath: "/back" }, { ...GITHUB, redirectPath: "/back" }],
  ["the default path, once by name", LINEAR, { ...GITHUB, redirectPath: "/auth/callback" }],
  ["one path but for the slash at its end", LINEAR, { ...GITHUB, redirectPath: "/auth/callback/" }],
])(
  "two providers that redirect users to %s are refused at the start, and the error says what to do",
  (_, one, other) => {
    expect(() => pageWith({ linear: one, github: other })).toThrow(
      /^elicit-kit: linear and github .* the same redirectPath .* "\/auth\/callback\/github"/,
    );
  },
);

test("two providers with different paths are accepted, and so are two tools of one provider", async () => {
  const page = pageWith({
    linear: LINEAR,
    teams: { ...LINEAR, issuer: "https://linear.example.com/" },
    github: { ...GITHUB, redirectPath: "/auth/callback/github" },
  });
  for (const path of ["/auth/callback", "/auth/callback/github"]) {
    expect((await page.fetch(new Request(`https://auth.example.com${path}`))).status).toBe(400);
  }
});

test.each(["auth/callback", "//evil.example/x", "/:any", "/a?b=c", "/a/../b", "/", ""])(
  "%j is refused as a redirect path",
  (redirectPath) => {
    expect(() => pageWith({ linear: { ...LINEAR, redirectPath } })).toThrow(
      `elicit-kit: the redirectPath of linear`,
    );
  },
);
