import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
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

it("says so when the port is taken", async () => {
  const stranger = createServer();
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => stranger.close(() => resolve())));
  const address = stranger.address();
  const port = typeof address === "object" ? address?.port : undefined;
  await expect(serve({ fetch: () => new Response(), port })).rejects.toThrow("EADDRINUSE");
});
