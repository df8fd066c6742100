import { type IncomingMessage, get } from "node:http";
import { createServer } from "node:net";
import { inspect } from "node:util";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isKitError } from "../contract/kit-error.ts";
import { originalOf } from "../base/foreign-error.ts";
import { createDeferred } from "../base/deadlines.ts";
import { listen } from "../../test/stages/listen.ts";
import { type ServeOptions, serve } from "./serve.ts";

/** The global classes, saved before a server could replace them. */
const { Request, Response } = globalThis;

it("the server replies at the address in `url`", async () => {
  const { url, close } = await serve({ fetch: (request) => new Response(new URL(request.url).pathname) });
  onTestFinished(close);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(`${url}/a`)).text()).toBe("/a");
});

it("the server does not replace the global Request and Response", async () => {
  const { close } = await serve({ fetch: () => new Response() });
  onTestFinished(close);
  expect(globalThis.Request).toBe(Request);
  expect(globalThis.Response).toBe(Response);
});

describe("a request that a handler gets", () => {
  it.each(["GET", "POST"])("can be copied and passed on: %s", async (method) => {
    const inner = await serve({
      fetch: async (request) => new Response(`${request.method} ${await request.text()}`),
    });
    const outer = await serve({
      fetch: (request) => fetch(new Request(`${inner.url}${new URL(request.url).pathname}`, request)),
    });
    onTestFinished(async () => {
      await outer.close();
      await inner.close();
    });
    const isGet = method === "GET";
    const response = await (isGet ? fetch(outer.url) : fetch(outer.url, { method: "POST", body: "hello" }));
    expect(await response.text()).toBe(isGet ? "GET " : "POST hello");
  });

  it("aborts when the client disconnects, even if only its signal is referenced", async () => {
    const left = createDeferred<unknown>();
    const arrived = createDeferred<void>();
    const { url, close } = await serve({
      fetch({ signal }) {
        signal.addEventListener("abort", () => left.resolve(signal.reason));
        arrived.resolve();
        return new Promise<Response>(() => {});
      },
    });
    onTestFinished(close);
    const client = new AbortController();
    const refused = fetch(url, { signal: client.signal }).catch(String);
    await arrived.promise;
    client.abort();
    expect(await refused).toContain("aborted");
    expect(await left.promise).toBeDefined();
  });

  it("carries Node's own request for a Hono app", async () => {
    const app = new Hono<{ Bindings: { incoming: IncomingMessage } }>();
    app.get("/", (c) => c.text(c.env.incoming.socket.remoteAddress ?? ""));
    const { url, close } = await serve({ fetch: app.fetch });
    onTestFinished(close);
    expect(await (await fetch(url)).text()).toBe("127.0.0.1");
  });
});

describe("a handler that fails", () => {
  const secret = "hunter2-xyz";

  it.each<[string, ServeOptions["fetch"]]>([
    [
      "throws",
      () => {
        throw new Error(secret);
      },
    ],
    ["rejects", () => Promise.reject(new Error(secret))],
  ])("gets a problem as its reply and a line in the log when it %s", async (_, handler) => {
    const errors: unknown[] = [];
    const { url, close } = await serve({ fetch: handler, onError: (error) => errors.push(error) });
    onTestFinished(close);
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toEqual({
      title: "Server error",
      status: 500,
      detail: "The server could not handle the request. Its log says why.",
    });
    expect(errors).toHaveLength(1);
    expect(inspect(errors, { depth: 9, showHidden: true })).not.toContain(secret);
    expect(originalOf(errors[0])).toEqual(new Error(secret));
  });

  it("in its body reveals the error neither to the client nor to the log", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    const errors: unknown[] = [];
    const body = () => new ReadableStream({ pull: () => Promise.reject(new Error(secret)) });
    const { url, close } = await serve({
      fetch: () => new Response(body()),
      onError: (error) => errors.push(error),
    });
    onTestFinished(close);
    const reply = await fetch(url)
      .then((response) => response.text())
      .catch(String);
    expect(reply).not.toContain(secret);
    expect(errors.map(originalOf)).toEqual([new Error(secret)]);
    expect(inspect(printed.mock.calls, { depth: 9, showHidden: true })).not.toContain(secret);
  });
});

describe("a host name", () => {
  async function statusOf(host: string, options: Partial<ServeOptions> = {}): Promise<number> {
    const errors: unknown[] = [];
    const { url, close } = await serve({
      fetch: () => new Response(),
      onError: (error) => errors.push(error),
      ...options,
    });
    onTestFinished(close);
    const { port } = new URL(url);
    const status = await new Promise<number>((resolve, reject) => {
      get({ host: "127.0.0.1", port, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }).on("error", reject);
    });
    expect(errors).toHaveLength(status === 403 ? 1 : 0);
    return status;
  }

  it.each(["localhost", "localhost:1234", "chat.localhost:80", "127.0.0.1", "127.9.9.9:3000", "[::1]:80"])(
    "of this machine is served: %s",
    async (host) => {
      expect(await statusOf(host)).toBe(200);
    },
  );

  it.each([
    "evil.example",
    "evil.example:3000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "192.168.1.5",
  ])("of another machine is refused by a server of this machine: %s", async (host) => {
    expect(await statusOf(host)).toBe(403);
  });

  it("that the operator allows is served, and no other", async () => {
    const allowedHosts = ["Chat.example.com"];
    expect(await statusOf("chat.example.com:443", { allowedHosts })).toBe(200);
    expect(await statusOf("evil.example", { allowedHosts })).toBe(403);
    expect(await statusOf("evil.example", { allowedHosts, hostname: "0.0.0.0" })).toBe(403);
  });

  it("may be any name if the server listens for other machines", async () => {
    expect(await statusOf("chat.example.com", { hostname: "0.0.0.0" })).toBe(200);
  });
});

it("the error for a port in use names the port and says what to do", async () => {
  const { port, close } = await listen(createServer());
  onTestFinished(close);
  const served = serve({ fetch: () => new Response(), port });
  await expect(served).rejects.toSatisfy(isKitError);
  await expect(served).rejects.toThrow(
    `elicit-kit: port ${port} of 127.0.0.1 is in use (EADDRINUSE). Stop the program that listens there, or give serve another port; 0 takes a free one.`,
  );
});

it.each([
  [
    { hostname: "203.0.113.9" },
    "elicit-kit: serve cannot listen on 203.0.113.9, which is no address of this machine (EADDRNOTAVAIL).",
  ],
  [{ port: 70_000 }, "elicit-kit: 70000 is no port. Give serve a whole number from 0 to 65535."],
  [{ port: Number.NaN }, "elicit-kit: NaN is no port. Give serve a whole number from 0 to 65535."],
])("the options %o are refused with a reason", async (options, message) => {
  const served = serve({ fetch: () => new Response(), ...options });
  await expect(served).rejects.toSatisfy(isKitError);
  await expect(served).rejects.toThrow(message);
});
