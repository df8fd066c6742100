import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../test/stages/listen.ts";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { createMcpSignIn } from "./mcp-sign-in.ts";

/** A server that sends at most its metadata, and a sign-in whose time passes while a request waits. */
async function setUp({ hasMetadata }: { hasMetadata: boolean }) {
  const clock = createManualClock();
  const silent: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    if (hasMetadata && url === "/.well-known/oauth-authorization-server") {
      const authorization_endpoint = `${issuer}/authorize`;
      const token_endpoint = `${issuer}/token`;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ issuer, authorization_endpoint, token_endpoint }));
      return;
    }
    silent.push(url);
    clock.advance(10_000);
  });
  const { url: issuer, close } = await listen(server);
  onTestFinished(close);
  const signIn = createMcpSignIn({
    origin: "http://localhost:4000",
    client: { name: "Demo agent" },
    clients: [{ server: `${issuer}/mcp`, issuer, clientId: "kit" }],
    clock,
    fetch: globalThis.fetch,
  });
  const binding = { serverUrl: `${issuer}/mcp`, issuer, resource: `${issuer}/mcp`, clientId: "kit" };
  return { signIn, issuer, silent, credential: { accessToken: "old", refreshToken: "refresh", binding } };
}

test("a refresh is given up at a server that does not reply, whatever fetch the application brings", async () => {
  const { signIn, credential, silent } = await setUp({ hasMetadata: true });
  await expect(signIn.refresh(credential)).rejects.toThrow("took too long");
  expect(silent).toEqual(["/token"]);
});

test("a sign-in is given up at a server that does not reply, whatever fetch the application brings", async () => {
  const { signIn, issuer, silent } = await setUp({ hasMetadata: false });
  const discovering = signIn.discover({ url: `${issuer}/mcp`, service: "Tracker" });
  await expect(discovering).rejects.toThrow("took too long");
  expect(silent).toEqual([
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource",
  ]);
});
