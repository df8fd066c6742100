import { once } from "node:events";
import { get } from "node:http";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { afterEach, describe, expect, it } from "vitest";
import { serve, type Served, type ServeOptions, wishedPorts } from "./ports.ts";

/** The addresses of localhost. Containers often have only the first one. */
const LOOPBACK = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal }) => internal)
  .map(({ address }) => address)
  .filter((address) => address === "127.0.0.1" || address === "::1");

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const text =
  (body: string): ServeOptions["handle"] =>
  () =>
  () =>
    new Response(body);

async function started(options: Partial<ServeOptions>): Promise<Served> {
  const served = await serve({ name: "chat", host: "localhost", port: 0, handle: text("ours"), ...options });
  closers.push(served.close);
  return served;
}

/** Another program that listens on a port of one address. */
async function occupy(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** A request body that never ends. */
const unfinished = (start: string) =>
  new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(start)) });

const bodyAt = async (url: string) => (await fetch(url)).text();

describe("serve", () => {
  it("passes the address to the listener before the first request", async () => {
    const { origin } = await started({ handle: (own) => () => new Response(own) });
    expect(origin).toMatch(/^http:\/\/localhost:\d+$/);
    expect(await bodyAt(origin)).toBe(origin);
  });

  it("refuses the host name of another machine, unless the server is behind a tunnel", async () => {
    const statusAs = async (host: string, options: Partial<ServeOptions> = {}) => {
      const { port } = new URL((await started(options)).origin);
      const request = get({ host: "127.0.0.1", port, headers: { host } });
      const [response] = await once(request, "response");
      response.resume();
      return response.statusCode;
    };
    expect(await statusAs("evil.example:4100")).toBe(403);
    expect(await statusAs("localhost.evil.example")).toBe(403);
    expect(await statusAs("chat.localhost")).toBe(200);
    expect(await statusAs("tunnel.example", { behindTunnel: true })).toBe(200);
  });

  it.each(LOOPBACK)(
    "uses the next free port when the preferred one is in use on %s, and warns",
    async (host) => {
      const port = await occupy(host);
      const lines: string[] = [];
      const { origin } = await started({ port, warn: (line) => lines.push(line) });
      const { port: got } = new URL(origin);
      expect(Number(got)).toBeGreaterThan(port);
      expect(lines).toEqual([
        `elicit-kit: port ${port} (chat) is taken, so chat is on ${got}. PORT=… sets another start.`,
      ]);
      expect(await bodyAt(origin)).toBe("ours");
    },
  );

  it("answers on every address of localhost", async () => {
    const { port } = new URL((await started({})).origin);
    for (const address of LOOPBACK) {
      expect(await bodyAt(`http://${address.includes(":") ? `[${address}]` : address}:${port}`)).toBe("ours");
    }
    expect(LOOPBACK).toContain("127.0.0.1");
  });

  it("uses the preferred port without a warning when it is free", async () => {
    const port = await occupy("127.0.0.1");
    await closers.pop()?.();
    const lines: string[] = [];
    const { origin } = await started({ port, host: "127.0.0.1", warn: (line) => lines.push(line) });
    expect(origin).toBe(`http://127.0.0.1:${port}`);
    expect(lines).toEqual([]);
  });

  it("lets a route limit a body whose length is unknown", async () => {
    const app = new Hono().post("/", bodyLimit({ maxSize: 4 }), async (c) => c.text(await c.req.text()));
    const { origin } = await started({ handle: () => app.fetch });
    const post = async (words: readonly string[]) => {
      const body = new ReadableStream({
        start(controller) {
          for (const word of words) controller.enqueue(new TextEncoder().encode(word));
          controller.close();
        },
      });
      const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
      const response = await fetch(origin, init);
      return [response.status, await response.text()];
    };
    expect(await post(["ab", "cd"])).toEqual([200, "abcd"]);
    expect(await post(["ab", "cde"])).toEqual([413, "Payload Too Large"]);
  });

  it("fails when no port is free", async () => {
    await started({ port: 65_535, host: "127.0.0.1" }).catch(() => "a stranger has it, which serves as well");
    await expect(
      serve({ name: "runtime", host: "127.0.0.1", port: 65_535, handle: text("") }),
    ).rejects.toThrow("elicit-kit: no free port for runtime from 65535 on");
  });

  it("closes while a stream is open", async () => {
    const { origin, close } = await started({ handle: () => () => new Response(unfinished("first")) });
    const response = await fetch(origin);
    await close();
    await expect(response.text()).rejects.toThrow("terminated");
    await expect(fetch(origin)).rejects.toThrow("fetch failed");
  });
});

describe("wishedPorts", () => {
  it("starts at 4100 by default, and at PORT if that is set", () => {
    expect(wishedPorts({})).toEqual({
      chat: 4100,
      runtime: 4110,
      auth: 4120,
      oauth: 4130,
      tracker: 4140,
      planner: 4150,
      wiki: 4160,
      slack: 4170,
      travel: 4180,
      host: 4190,
      mail: 4200,
      company: 4210,
      handbook: 4220,
    });
    expect(wishedPorts({ PORT: "9000" })).toMatchObject({ chat: 9000, tracker: 9040 });
  });

  it("uses any free ports with PORT=0", () => {
    expect(new Set(Object.values(wishedPorts({ PORT: "0" })))).toEqual(new Set([0]));
  });

  it.each(["http", "-1", "70000", "1.5"])("refuses PORT=%s", (PORT) => {
    expect(() => wishedPorts({ PORT })).toThrow(`elicit-kit: PORT is "${PORT}".`);
  });
});
