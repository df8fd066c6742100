import { expect, test } from "vitest";
import { type Credential, createMemoryCredentials } from "../ports/credentials.ts";
import { isConnected } from "./is-connected.ts";

const SERVER = "https://mcp.example.com/mcp";
const BINDING = { serverUrl: SERVER, issuer: "https://a.example", resource: SERVER, clientId: "c" };
const TOKEN: Credential = { accessToken: "token", scope: "read", binding: BINDING };

test.each<[string, Credential | undefined, string | undefined, boolean]>([
  ["nothing is connected", undefined, "read", false],
  ["what was asked for is granted", TOKEN, "read", true],
  ["nothing special was asked for", TOKEN, undefined, true],
  ["more is asked for than was granted", TOKEN, "read write", false],
  [
    "another server is connected",
    { ...TOKEN, binding: { ...BINDING, serverUrl: "https://b.example" } },
    "read",
    false,
  ],
  ["the operator's own provider has granted it", { accessToken: "token", scope: "read write" }, "read", true],
  [
    "the operator's own provider has granted less",
    { accessToken: "token", scope: "read" },
    "read write",
    false,
  ],
  ["a credential does not say what was granted", { accessToken: "token" }, "read", false],
  ["nothing special was asked of the operator's own provider", { accessToken: "token" }, undefined, true],
])('"I\'ve finished" when %s', async (_, credential, scope, isDone) => {
  const credentials = createMemoryCredentials();
  if (credential !== undefined) await credentials.set("tracker", "ada", credential);
  const signIn = { url: SERVER, service: "Tracker", scope };
  const record = { tool: { id: "tracker", name: "tracker_read" }, user: { id: "ada" }, signIn };
  expect(await isConnected(credentials)(record)).toBe(isDone);
});
