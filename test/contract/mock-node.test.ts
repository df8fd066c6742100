import { fileURLToPath } from "node:url";
import { askToConnect, say } from "elicit-kit/mock-server";
import { type StartedMockServer, startMockServer } from "elicit-kit/mock-server/node";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let server: StartedMockServer;
beforeAll(async () => {
  server = await startMockServer({
    script: (said) => [
      askToConnect({ service: "Tracker", losesOpener: said === "COOP" }),
      say(({ outcome }) => `It is ${outcome}.`),
    ],
  });
});
afterAll(() => server.close());

const CHAT = "http://localhost:5173";

/** Runs the agent until it asks. `ended` has the rest of the run. */
async function runUntilAsked(said = "Go on.") {
  const response = await fetch(`${server.api}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-supports-elicitation": "true", origin: CHAT },
    body: JSON.stringify({
      id: crypto.randomUUID(),
      messages: [{ role: "user", parts: [{ type: "text", text: said }] }],
    }),
  });
  const [open] = server.pending();
  return { page: new URL(open!.mode === "url" ? open!.url : ""), id: open!.elicitationId, response };
}

function press(page: URL, body: unknown) {
  return fetch(page, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

describe("a mock server on a port", () => {
  it.each([
    ["connect", "accepted."],
    ["decline", "declined."],
  ])("has a page on which the user can %s, and which gets the origin of the chat", async (action, ending) => {
    const { page, id, response } = await runUntilAsked();
    expect(page.origin).toBe(server.url);
    expect(await (await fetch(page)).text()).toContain('<button type="button" data-action="connect">');
    const reply = await press(page, { elicitationId: id, action });
    expect(await reply.json()).toEqual({ chatOrigin: CHAT });
    expect(await response.text()).toContain(ending);
  });

  it("keeps the request open when its page fails", async () => {
    const { page, id, response } = await runUntilAsked();
    await press(page, { elicitationId: id, action: "fail" });
    expect(server.pending()).toHaveLength(1);
    await server.completeOutside();
    expect(await response.text()).toContain("accepted.");
  });

  it("cuts the opener of its page only if the script asks for that", async () => {
    const coop = async (said: string) => {
      const { page, response } = await runUntilAsked(said);
      await server.completeOutside();
      await response.text();
      return (await fetch(page)).headers.get("cross-origin-opener-policy");
    };
    expect(await coop("COOP")).toBe("same-origin");
    expect(await coop("Go on.")).toBeNull();
  });

  it("refuses HTTP requests that its page does not send, and serves no other paths", async () => {
    expect((await press(new URL("/auth/connect", server.url), { action: "connect" })).status).toBe(400);
    expect((await fetch(`${server.url}/elsewhere`)).status).toBe(404);
  });

  it("lets only a chat on this machine read its replies", async () => {
    const allowed = async (origin: string) => {
      const reply = await fetch(`${server.api}/elicitations?conversationId=c`, { headers: { origin } });
      return reply.headers.get("access-control-allow-origin");
    };
    expect(await allowed(CHAT)).toBe(CHAT);
    expect(await allowed("https://evil.example")).toBeNull();
    expect(await allowed("http://localhost.evil.example")).toBeNull();
  });
});

describe("an import of elicit-kit/mock-server/node into a page", () => {
  it("fails at resolution, and the bundler reports that it is for Node", async () => {
    const bundle = build({
      stdin: {
        contents: 'import "elicit-kit/mock-server/node";',
        resolveDir: fileURLToPath(new URL("../..", import.meta.url)),
      },
      // Resolved as in an app, not with the source files of this repository.
      tsconfigRaw: {},
      bundle: true,
      write: false,
      platform: "browser",
      logLevel: "silent",
    });
    const notes = await bundle.then(
      () => [],
      ({ errors }) => errors.flatMap(({ notes: each }: { notes: { text: string }[] }) => each),
    );
    expect(notes).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('enabling the "node" condition') }),
    );
  });
});
