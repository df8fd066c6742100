import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { isKitError } from "../../protocol/kit-error.ts";
import { serve } from "./serve.ts";

/** Taken before any server was there. */
const { Request, Response } = globalThis;

it("answers at the address it names", async () => {
  const { url, close } = await serve({ fetch: (request) => new Response(new URL(request.url).pathname) });
  onTestFinished(close);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(`${url}/a`)).text()).toBe("/a");
});

it("leaves the Request and Response of the process as they are", async () => {
  const { close } = await serve({ fetch: () => new Response() });
  onTestFinished(close);
  expect(globalThis.Request).toBe(Request);
  expect(globalThis.Response).toBe(Response);
});

it("says which port is taken, and what to do", async () => {
  const { port, close } = await stranger();
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
])("refuses %o, and says why", async (options, message) => {
  const served = serve({ fetch: () => new Response(), ...options });
  await expect(served).rejects.toSatisfy(isKitError);
  await expect(served).rejects.toThrow(message);
});

/** A program that listens on a port of this machine. */
async function stranger(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
