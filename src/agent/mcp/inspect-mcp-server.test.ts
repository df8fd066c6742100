import { type Implementation, McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { createMcpTracker } from "../../../test/stages/mcp-tracker.ts";
import { inspectMcpServer } from "../index.ts";
import { KitError } from "../../contract/kit-error.ts";

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A real server that returns this information about itself, and has images on its host. */
function serverThatSays(
  about: Implementation,
  images: Readonly<Record<string, () => Response>> = {},
): typeof globalThis.fetch {
  const handler = createMcpHandler(() => new McpServer(about));
  return async (input, init) => {
    const request = new Request(input, init);
    const image = images[request.url];
    return image === undefined ? handler.fetch(request) : image();
  };
}

test("an added MCP server has the name that it claims, beside its host", async () => {
  const fetch = serverThatSays({ name: "wiki", title: "Team wiki", version: "1" });
  expect(await inspectMcpServer(" wiki.example.com/mcp ", { fetch })).toEqual({
    ok: true,
    server: {
      name: expect.stringMatching(/^wiki_example_com_\w{12}$/),
      url: "https://wiki.example.com/mcp",
      service: "wiki.example.com",
      credentialScope: "user",
      signIn: "on-demand",
    },
    claims: { name: "Team wiki", iconDataUrl: undefined },
  });
});

test("an entry's name depends only on its URL, and different URLs get different names", async () => {
  const fetch = serverThatSays({ name: "wiki", version: "1" });
  const nameOf = async (url: string) => {
    const found = await inspectMcpServer(url, { fetch });
    return found.ok ? found.server.name : found.fault;
  };
  const urls = [
    "https://a.example/mcp",
    "https://a.example/mcp2",
    "https://a-example/mcp",
    "https://a.example:8443/mcp",
  ];
  const names = await Promise.all(urls.map(nameOf));
  expect(new Set(names).size).toBe(urls.length);
  expect(await nameOf("https://a.example/mcp")).toBe(names[0]);
  expect(names.join("")).toMatch(/^\w+$/);
});

test("an added MCP server has its icon as a data URL", async () => {
  const src = "https://wiki.example.com/icon.png";
  const fetch = serverThatSays(
    { name: "wiki", version: "1", icons: [{ src, mimeType: "image/png" }] },
    { [src]: () => new Response(PNG, { headers: { "content-type": "image/png" } }) },
  );
  const found = await inspectMcpServer("https://wiki.example.com/mcp", { fetch });
  expect(found).toMatchObject({ claims: { iconDataUrl: "data:image/png;base64,iVBORw0KGgo=" } });
});

test.each([
  ["is too large", () => new Response(new Uint8Array(20_000), { headers: { "content-type": "image/png" } })],
  ["is a page", () => new Response("<script>", { headers: { "content-type": "text/html" } })],
  ["is not there", () => new Response("no", { status: 404 })],
  ["may not be fetched", () => Promise.reject(new KitError("elicit-kit: not a public address")) as never],
])("a server whose icon %s is added without it", async (_, image) => {
  const src = "https://wiki.example.com/icon.png";
  const fetch = serverThatSays({ name: "wiki", version: "1", icons: [{ src }] }, { [src]: image });
  const found = await inspectMcpServer("https://wiki.example.com/mcp", { fetch });
  expect(found).toMatchObject({ ok: true, claims: { name: "wiki", iconDataUrl: undefined } });
});

test("the name that a server claims is one short line", async () => {
  const fetch = serverThatSays({ name: "x", title: `Bank\n\u202Egpj.${"a".repeat(500)}`, version: "1" });
  const found = await inspectMcpServer("https://wiki.example.com/mcp", { fetch });
  if (!found.ok) throw new Error(found.fault);
  expect(found.claims.name).toMatch(/^Bank gpj\.a+$/);
  expect(found.claims.name?.length).toBeLessThanOrEqual(100);
});

test("a server that requires a sign-in for every call can be added", async () => {
  const { fetch } = createMcpTracker({ listing: "closed" });
  const found = await inspectMcpServer("https://tracker.example.com/mcp", { fetch });
  expect(found).toMatchObject({ ok: true, claims: { name: undefined } });
});

test.each([
  ["an empty text", ""],
  ["words", "not a url"],
  ["ftp", "ftp://wiki.example.com/mcp"],
  ["a script", "javascript:alert(1)"],
  ["a URL with a password", "https://ada:secret@wiki.example.com/mcp"],
  ["a very long URL", `https://wiki.example.com/${"a".repeat(2000)}`],
])("%s is not the URL of a server, and nothing is fetched", async (_, typed) => {
  const fetch = () => Promise.reject(new Error("fetched"));
  expect(await inspectMcpServer(typed, { fetch })).toMatchObject({ ok: false, reason: "url" });
});

test("a URL that is not an MCP server cannot be added", async () => {
  const fetch = async () => new Response("<h1>Hello</h1>", { headers: { "content-type": "text/html" } });
  const found = await inspectMcpServer("https://www.example.com/", { fetch });
  expect(found).toMatchObject({ ok: false, reason: "unreachable" });
});

test("an address that the fetch guard refuses cannot be added, and the operator gets the reason", async () => {
  const fetch = () => Promise.reject(new KitError("elicit-kit: 10.0.0.1 is not a public address."));
  expect(await inspectMcpServer("https://10.0.0.1/mcp", { fetch })).toEqual({
    ok: false,
    reason: "unreachable",
    fault: "10.0.0.1 is not a public address.",
  });
});

test("a server that does not answer in ten seconds cannot be added", async () => {
  const clock = createManualClock();
  const fetch: typeof globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  const found = inspectMcpServer("https://slow.example.com/mcp", { fetch, clock });
  await expect.poll(() => clock.waiting).toBeGreaterThan(0);
  clock.advance(10_000);
  expect(await found).toMatchObject({ ok: false, reason: "unreachable" });
});
