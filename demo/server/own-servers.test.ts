import { afterAll, beforeAll, expect, it } from "vitest";
import { type OAuthServer, startOAuthServer } from "./oauth-server.ts";
import { createOwnServers, type OwnServer } from "./own-servers.ts";
import type { ProtectedMcp } from "./protected-mcp.ts";
import { createMemoryShelf, type ShelfContent } from "./shelf.ts";
import { startWiki } from "./wiki.ts";

let oauth: OAuthServer;
let wiki: ProtectedMcp;
beforeAll(async () => {
  oauth = await startOAuthServer({ port: 0 });
  wiki = await startWiki({ port: 0, oauth });
});
afterAll(async () => {
  await wiki.close();
  await oauth.close();
});

type Kept = ShelfContent<readonly OwnServer[]>;

function setUp(known: Kept = {}) {
  let kept = known;
  const servers = createOwnServers({
    kept: createMemoryShelf({ known, keep: async (now) => void (kept = now) }),
    inspectionFetch: fetch,
    callFetch: fetch,
    onError: () => {},
  });
  return { servers, kept: () => kept };
}

it("the demo stores an MCP server that a user adds, with the name and the icon that the server claims", async () => {
  const { servers, kept } = setUp();
  expect(await servers.add("alice", wiki.url)).toBeUndefined();
  expect(kept()).toEqual({ alice: { servers: await servers.list("alice") } });
  const [added] = await servers.list("alice");
  expect(added).toMatchObject({ url: wiki.url, service: new URL(wiki.url).host, claimedName: "Demo wiki" });
  expect(added?.iconDataUrl).toMatch(/^data:image\/svg\+xml/);
  expect(await servers.list("bob")).toEqual([]);
});

it("the agent does not get the name and the icon that an added MCP server claims", async () => {
  const { servers } = setUp();
  await servers.add("alice", wiki.url);
  const [entry] = await servers.entriesOf("alice");
  expect(JSON.stringify(entry)).not.toMatch(/Demo wiki|svg/);
  expect(entry).toMatchObject({ credentialScope: "user", url: wiki.url });
});

it("the list has an MCP server once, even if the user adds it twice at the same time", async () => {
  const { servers } = setUp();
  const both = await Promise.all([servers.add("alice", wiki.url), servers.add("alice", wiki.url)]);
  expect(both.toSorted()).toEqual(["known", undefined]);
  expect(await servers.list("alice")).toHaveLength(1);
});

it("a user can add at most ten MCP servers", async () => {
  const ten = Array.from({ length: 10 }, (_, index) => ({
    name: `s${index}`,
    url: `https://s${index}.example/mcp`,
    service: `s${index}.example`,
    credentialScope: "user" as const,
  }));
  const { servers } = setUp({ alice: { servers: ten } });
  expect(await servers.add("alice", wiki.url)).toBe("full");
  await servers.remove("alice", "s3");
  expect(await servers.add("alice", wiki.url)).toBeUndefined();
});
