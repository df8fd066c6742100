import { type RequestListener, createServer as createHttpServer } from "node:http";
import { createServer as createTcpServer, type LookupFunction } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createManualClock } from "../base/testing/manual-clock.ts";
import { listen } from "../../test/stages/listen.ts";
import { createListedFetch } from "../base/guarded-fetch.ts";
import { createGuardedFetch } from "./index.ts";
import type { GuardedFetchOptions } from "./guarded-fetch.ts";

/** A server on this machine. It counts the requests that reach it. */
async function serveHere(answer: RequestListener): Promise<{ port: number; origin: string; hits: string[] }> {
  const hits: string[] = [];
  const { port, url, close } = await listen(
    createHttpServer((request, response) => {
      hits.push(request.url ?? "");
      answer(request, response);
    }),
  );
  onTestFinished(close);
  return { port, origin: url, hits };
}

/** A resolver that returns these lists of addresses, one list for each call. */
function resolving(...answers: string[][]): LookupFunction & { asked: number } {
  const lookup = Object.assign<LookupFunction, { asked: number }>(
    (_hostname, _options, callback) => {
      const addresses = answers[Math.min(lookup.asked, answers.length - 1)] ?? [];
      lookup.asked += 1;
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    },
    { asked: 0 },
  );
  return lookup;
}

const local = (options: GuardedFetchOptions = {}) => createGuardedFetch({ allowLoopback: true, ...options });

test.each([
  ["a private address", "https://10.0.0.1/"],
  ["loopback", "https://127.0.0.1/"],
  ["loopback in decimal", "https://2130706433/"],
  ["loopback in octal", "https://0177.0.0.1/"],
  ["loopback in hexadecimal", "https://0x7f000001/"],
  ["loopback, shortened", "https://127.1/"],
  ["loopback with a dot at the end", "https://127.0.0.1./"],
  ["loopback in full-width digits", "https://１２７.0.0.1/"],
  ["the metadata host of clouds", "https://169.254.169.254/latest/meta-data/"],
  ["the metadata host as an IPv4-mapped address", "https://[::ffff:169.254.169.254]/"],
  ["the metadata host by NAT64", "https://[64:ff9b::a9fe:a9fe]/"],
  ["the unspecified address", "https://0.0.0.0/"],
  ["IPv6 loopback", "https://[::1]/"],
  ["IPv6 loopback, IPv4-compatible", "https://[::127.0.0.1]/"],
  ["a unique local address", "https://[fd00::1]/"],
  ["a link-local address", "https://[fe80::1]/"],
  ["carrier-grade NAT", "https://100.64.0.1/"],
  ["6to4 of a private address", "https://[2002:a00:1::1]/"],
])("the guarded fetch does not fetch %s in this notation: %s", async (_, url) => {
  await expect(createGuardedFetch()(url)).rejects.toThrow(/^elicit-kit: .* is not a public address/);
});

test.each([
  ["http", "http://mcp.example.com/", "only https is"],
  ["another protocol", "ftp://mcp.example.com/", "only https is"],
  ["a file", "file:///etc/passwd", "only https is"],
  ["data", "data:application/json,{}", "only https is"],
  ["http on this machine", "http://127.0.0.1/", "allowLoopback"],
  ["http on localhost", "http://localhost/", "allowLoopback"],
])("the guarded fetch does not fetch %s", async (_, url, words) => {
  await expect(createGuardedFetch()(url)).rejects.toThrow(words);
});

test("allowLoopback does not let the guarded fetch use http outside of this machine", async () => {
  await expect(local()("http://10.0.0.1/")).rejects.toThrow("only https is");
  await expect(local()("http://mcp.example.com/")).rejects.toThrow("only https is");
  await expect(local()("https://10.0.0.1/")).rejects.toThrow("not a public address");
});

test("the guarded fetch does not fetch a URL with a user name", async () => {
  await expect(createGuardedFetch()("https://a@mcp.example.com/")).rejects.toThrow(/user name|credentials/);
});

test.each([
  ["is private", [["10.0.0.1"]]],
  ["is loopback", [["127.0.0.1"]]],
  ["has a private address beside a public one", [["93.184.215.14", "192.168.0.1"]]],
  ["is link-local with a zone", [["fe80::1%eth0"]]],
  ["has no address", [[]]],
])("the guarded fetch does not connect to a name that %s", async (_, answers) => {
  const lookup = resolving(...answers);
  await expect(createGuardedFetch({ lookup })("https://mcp.example.com/")).rejects.toThrow(/^elicit-kit: /);
  expect(lookup.asked).toBe(1);
});

test("the guarded fetch uses the address that it has checked, even if the name resolves to another one afterwards", async () => {
  const { port, hits } = await serveHere((_request, response) => response.end("secret"));
  const lookup = resolving(["192.0.2.1"], ["127.0.0.1"]);
  const fetch = createGuardedFetch({ lookup, timeoutMs: 1000 });
  await expect(fetch(`https://rebind.example.com:${port}/`)).rejects.toThrow("not a public address");
  expect(lookup.asked).toBe(1);
  await expect(fetch(`https://rebind.example.com:${port}/`)).rejects.toThrow("127.0.0.1 is not a public");
  expect(hits).toEqual([]);
});

test("the guarded fetch sends body and headers to an allowed URL, and no cookies", async () => {
  const { origin } = await serveHere((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      response.writeHead(201, { "content-type": "application/json", "x-two": ["a", "b"] });
      response.end(JSON.stringify({ method: request.method, headers: request.headers, body }));
    });
  });
  const response = await local()(`${origin}/x?y=1`, {
    method: "POST",
    headers: { cookie: "session=1", authorization: "Basic YQ==" },
    body: new URLSearchParams({ grant_type: "refresh_token" }),
  });
  expect(response.status).toBe(201);
  expect(response.headers.get("x-two")).toBe("a, b");
  const seen: unknown = await response.json();
  expect(seen).toMatchObject({
    method: "POST",
    body: "grant_type=refresh_token",
    headers: {
      authorization: "Basic YQ==",
      "accept-encoding": "identity",
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
    },
  });
  expect(seen).not.toHaveProperty("headers.cookie");
});

test("an origin that the operator trusts may have a private address, and no other origin may", async () => {
  const lookup = resolving(["127.0.0.1"]);
  const fetch = createGuardedFetch({ lookup, allowOrigins: ["https://mcp.internal:1"] });
  await expect(fetch("https://mcp.internal:1/")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await expect(fetch("https://other.internal:1/")).rejects.toThrow("not a public address");
  await expect(fetch("https://mcp.internal:2/")).rejects.toThrow("not a public address");
});

test.each([
  ["a private address", "https://10.0.0.1/"],
  ["the metadata host", "http://169.254.169.254/"],
  ["a file", "file:///etc/passwd"],
  ["http elsewhere", "http://mcp.example.com/"],
  ["a user name", "https://a:b@mcp.example.com/"],
  ["no URL", "http://["],
])("the guarded fetch does not follow a redirect to %s", async (_, location) => {
  const { origin } = await serveHere((_request, response) => {
    response.writeHead(302, { location });
    response.end();
  });
  await expect(local()(origin)).rejects.toThrow(/^elicit-kit: /);
});

test("the guarded fetch does not follow a redirect to a name on a private address", async () => {
  const { origin } = await serveHere((_request, response) => {
    response.writeHead(307, { location: "https://internal.example.com/" });
    response.end();
  });
  const fetch = local({ lookup: resolving(["10.0.0.7"]) });
  await expect(fetch(origin)).rejects.toThrow("10.0.0.7 is not a public address");
});

test("a redirect to another origin drops credentials, and a redirect within the origin keeps them", async () => {
  const seen: [string | undefined, unknown][] = [];
  const elsewhere = await serveHere((request, response) => {
    seen.push([request.url, request.headers]);
    response.end();
  });
  const { origin } = await serveHere((request, response) => {
    seen.push([request.url, request.headers]);
    const location = request.url === "/" ? "/here" : `${elsewhere.origin}/away`;
    response.writeHead(302, { location }).end();
  });
  const headers = { "x-api-key": "secret", "x-token": "secret", accept: "application/json" };
  await local()(`${origin}/`, { headers });
  expect(seen).toEqual([
    ["/", expect.objectContaining(headers)],
    ["/here", expect.objectContaining(headers)],
    ["/away", expect.objectContaining({ accept: "application/json" })],
  ]);
  expect(JSON.stringify(seen[2])).not.toContain("secret");
});

test("the guarded fetch follows at most three redirects, even if a server redirects to itself", async () => {
  const { origin, hits } = await serveHere((request, response) => {
    const left = Number((request.url ?? "").slice(1));
    if (left === 0) response.end("there");
    else response.writeHead(302, { location: left > 9 ? request.url : `/${left - 1}` }).end();
  });
  expect(await (await local()(`${origin}/3`)).text()).toBe("there");
  await expect(local()(`${origin}/4`)).rejects.toThrow("more than 3 redirects");
  hits.length = 0;
  await expect(local()(`${origin}/10`)).rejects.toThrow("more than 3 redirects");
  expect(hits).toHaveLength(4);
});

test.each([
  ["a POST", { method: "POST", body: "a=1" }],
  ["a credential", { headers: { authorization: "Bearer token" } }],
])(
  "with %s, the guarded fetch follows no redirect, and no part of the HTTP request is sent there",
  async (_, init) => {
    const there = await serveHere((_request, response) => response.end());
    const { origin } = await serveHere((_request, response) => {
      response.writeHead(307, { location: there.origin }).end();
    });
    await expect(local()(origin, init)).rejects.toThrow("a redirect, which is not followed");
    expect((await local()(origin, { ...init, redirect: "manual" })).status).toBe(307);
    expect(there.hits).toEqual([]);
  },
);

test("a body is read up to its limit, with and without a length, and compressed bodies are refused", async () => {
  const big = Buffer.alloc(300 * 1024, 32);
  const { origin } = await serveHere((request, response) => {
    if (request.url === "/gzip") {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(gzipSync(big));
      return;
    }
    if (request.url === "/fits") response.end(big.subarray(0, 256 * 1024));
    else if (request.url === "/length") response.end(big);
    else {
      response.write(big);
      response.end();
    }
  });
  expect(await (await local()(`${origin}/fits`)).text()).toHaveLength(256 * 1024);
  for (const path of ["/length", "/chunked"]) {
    const response = await local()(origin + path);
    await expect(response.text()).rejects.toThrow("more than 0.25 MiB");
  }
  await expect(local()(`${origin}/gzip`)).rejects.toThrow("a compressed body");
});

test.each([
  ["is silent", ""],
  ["sends its headers without an end", "HTTP/1.1 200 OK\r\n"],
  ["sends its body without an end", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"],
])("the guarded fetch gives up on a server that %s", async (_, words) => {
  const { url, close } = await listen(
    createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.write(words);
    }),
  );
  onTestFinished(() => void close());
  const read = local({ timeoutMs: 200 })(url).then((response) => response.text());
  await expect(read).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a response that is not read causes no error when it times out", async () => {
  const { origin } = await serveHere((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("{");
  });
  const clock = createManualClock();
  const response = await local({ clock, timeoutMs: 1000 })(origin);
  clock.advance(1000);
  // An unhandled rejection would end the run here.
  await new Promise((resolve) => setImmediate(resolve));
  await expect(response.text()).rejects.toThrow("too long");
});

test.each<[string, (fetch: typeof globalThis.fetch, origin: string) => Promise<unknown>]>([
  ["was read", async (fetch, origin) => (await fetch(origin)).text()],
  ["was cancelled", async (fetch, origin) => (await fetch(origin)).body?.cancel()],
  ["has no body", (fetch, origin) => fetch(`${origin}/none`)],
  ["was redirected and read", async (fetch, origin) => (await fetch(`${origin}/away`)).text()],
  ["was too long", async (fetch, origin) => (await fetch(`${origin}/long`)).text().catch(() => {})],
  ["broke off", async (fetch, origin) => (await fetch(`${origin}/broken`)).text().catch(() => {})],
  ["was refused", (fetch, origin) => fetch(`${origin}/refused`).catch(() => {})],
])("no timer is left after a response that %s", async (_, use) => {
  const { origin } = await serveHere(({ url }, response) => {
    if (url === "/none") response.writeHead(204).end();
    else if (url === "/away") response.writeHead(302, { location: "/" }).end();
    else if (url === "/refused") response.writeHead(302, { location: "https://10.0.0.1/" }).end();
    else if (url === "/long") response.end("x".repeat(300 * 1024));
    else if (url === "/broken")
      response.writeHead(200, { "content-length": "9" }).write("x", () => response.destroy());
    else response.end("x");
  });
  const clock = createManualClock();
  await use(local({ clock }), origin);
  expect(clock.waiting).toBe(0);
});

test("the caller can abort an HTTP request", async () => {
  const { origin } = await serveHere(() => {});
  const abort = new AbortController();
  const asking = local()(origin, { signal: abort.signal });
  abort.abort(new Error("no longer needed"));
  await expect(asking).rejects.toThrow("no longer needed");
});

test("https URLs are fetched over TLS", async () => {
  const { port } = await serveHere((_request, response) => response.end());
  await expect(local()(`https://127.0.0.1:${port}/`)).rejects.toThrow(/SSL|TLS|wrong version/i);
});

test("on a platform that cannot check addresses, the guarded fetch requires a list of origins, and the error says so", async () => {
  expect(() => createListedFetch({ origins: [] })).toThrow("needs the origins that it may fetch");
  expect(() => createListedFetch({ origins: ["https://mcp.example.com/mcp"] })).toThrow("without a path");
});

test("a guarded fetch with a list of origins reaches only these, redirects included", async () => {
  const asked: string[] = [];
  const fetch = createListedFetch({
    origins: ["https://mcp.example.com"],
    fetch: async (input, init) => {
      const { url } = new Request(input);
      asked.push(url);
      expect(init).toMatchObject({ redirect: "manual", credentials: "omit" });
      return url.endsWith("/away") ? Response.redirect("https://evil.example/", 302) : Response.json({});
    },
  });
  expect((await fetch("https://mcp.example.com/x")).status).toBe(200);
  await expect(fetch("https://evil.example/")).rejects.toThrow("not in the list");
  await expect(fetch("http://mcp.example.com/")).rejects.toThrow("only https");
  await expect(fetch("https://mcp.example.com/away")).rejects.toThrow("https://evil.example is not fetched");
  expect(asked).toEqual(["https://mcp.example.com/x", "https://mcp.example.com/away"]);
});
