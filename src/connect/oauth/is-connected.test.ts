import { expect, test } from "vitest";
import { type Credential, createMemoryCredentials } from "../ports/credentials.ts";
import { isConnected } from "./challenge.ts";

const SERVER = "https://mcp.example.com/mcp";
const BINDING = { serverUrl: SERVER, issuer: "https://a.example", resource: SERVER, clientId: "c" };
const TOKEN: Credential = { accessToken: "token", scope: "read", binding: BINDING };

test.each<[string, Credential | undefined, string | undefined, boolean]>([
  ["does not complete the request when no account is connected", undefined, "read", false],
  ["completes the request when the requested scopes were granted", TOKEN, "read", true],
  ["completes the request when no scopes were requested", TOKEN, undefined, true],
  ["does not complete the request when fewer scopes were granted than requested", TOKEN, "read write", false],
  [
    "does not complete the request when another server is connected",
    { ...TOKEN, binding: { ...BINDING, serverUrl: "https://b.example" } },
    "read",
    false,
  ],
  [
    "completes the request when the operator's provider has granted the scopes",
    { accessToken: "token", scope: "read write" },
    "read",
    true,
  ],
  [
    "does not complete the request when the operator's provider has granted fewer scopes",
    { accessToken: "token", scope: "read" },
    "read write",
    false,
  ],
  [
    "does not complete the request when scopes were requested and the credential names none",
    { accessToken: "token" },
    "read",
    false,
  ],
  [
    "completes the request when no scopes were requested from the operator's provider",
    { accessToken: "token" },
    undefined,
    true,
  ],
])('"I\'ve finished" %s', async (_, credential, scope, isDone) => {
  const credentials = createMemoryCredentials();
  if (credential !== undefined) await credentials.set("tracker", "ada", credential);
  const signIn = { url: SERVER, service: "Tracker", scope };
  const record = { tool: { id: "tracker", name: "tracker_read" }, user: { id: "ada" }, signIn };
  expect(await isConnected(credentials)(record)).toBe(isDone);
});

test('"I\'ve finished" completes the request of a tool whose server asked for no sign-in, and none without a tool', async () => {
  const credentials = createMemoryCredentials();
  const user = { id: "ada" };
  const tool = { id: "tracker", name: "tracker_read" };
  expect(await isConnected(credentials)({ user, tool })).toBe(false);
  await credentials.set("tracker", "ada", TOKEN);
  expect(await isConnected(credentials)({ user, tool })).toBe(true);
  expect(await isConnected(credentials)({ user })).toBe(false);
});

test('"I\'ve finished" does not complete the request for another account, because another chat may have connected it', async () => {
  const credentials = createMemoryCredentials();
  await credentials.set("tracker/2", "ada", { ...TOKEN, connectedAt: 1 });
  const tool = { id: "tracker/2", name: "tracker_read", isNew: true as const };
  expect(await isConnected(credentials)({ tool, user: { id: "ada" } })).toBe(false);
});
