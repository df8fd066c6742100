import { createServer, request as send } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hiddenFields } from "../../../test/stages/browser.ts";
import { listen } from "../../../test/stages/listen.ts";
import { createDeferred } from "../../base/deadlines.ts";
import { CALLBACK, AUTH, type PageStage, createPageStage } from "../../../test/stages/page-stage.ts";
import { type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());

/**
 * Serves the page with Hono's adapter for Node.js, and sends a form without its length, as some proxies do. `after`: what
 * the sender does after the last piece.
 */
async function sendInPieces(
  { page, browser }: PageStage,
  pieces: readonly string[],
  { after = "end" }: { after?: "end" | "wait" | "leave" } = {},
): Promise<number> {
  const listener = getRequestListener(page.fetch, { overrideGlobalObjects: false });
  const handled = createDeferred<void>();
  const server = createServer((incoming, outgoing) => {
    void listener(incoming, outgoing)?.then(handled.resolve);
  });
  const { port, close } = await listen(server);
  onTestFinished(close);
  const cookie = Object.entries(browser.cookies(AUTH))
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
  return new Promise((resolve, reject) => {
    const sent = send(
      {
        port,
        path: "/auth/connect/start",
        method: "POST",
        agent: false,
        headers: {
          cookie,
          origin: AUTH,
          "content-type": "application/x-www-form-urlencoded",
          "transfer-encoding": "chunked",
        },
      },
      (reply) => {
        reply.resume();
        resolve(reply.statusCode ?? 0);
      },
    ).on("error", after === "leave" ? () => handled.promise.then(() => resolve(0)) : reject);
    for (const piece of pieces) sent.write(piece);
    if (after === "end") sent.end();
    if (after === "leave") sent.write("x", () => sent.destroy());
  });
}

describe("a form that a proxy sends in pieces", () => {
  it("is read", async () => {
    const s = await createPageStage(provider);
    const consent = await s.browser.visit(s.url);
    const form = new URLSearchParams(hiddenFields(consent)).toString();
    expect(await sendInPieces(s, [form.slice(0, 20), form.slice(20)])).toBe(303);
    expect(s.errors).toEqual([]);
  });

  it("is refused without fields", async () => {
    const s = await createPageStage(provider);
    await s.browser.visit(s.url);
    expect(await sendInPieces(s, [])).toBe(400);
    expect(s.errors).toEqual([]);
  });

  it("is refused as soon as it is too large", async () => {
    const s = await createPageStage(provider);
    await s.browser.visit(s.url);
    expect(await sendInPieces(s, ["name=", "x".repeat(4096)], { after: "wait" })).toBe(413);
    expect(s.errors).toEqual([]);
  });

  it("is no fault of the server if its sender leaves", async () => {
    const s = await createPageStage(provider);
    await s.browser.visit(s.url);
    expect(await sendInPieces(s, ["name="], { after: "leave" })).toBe(0);
    expect(s.errors).toEqual([]);
  });
});
