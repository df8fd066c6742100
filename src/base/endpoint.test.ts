import { expect, test, vi } from "vitest";
import { crossOrigin } from "./cross-origin.ts";
import { createEndpoint } from "./endpoint.ts";
import type { OriginCheck } from "./urls.ts";

const CHAT = "https://chat.example.com";

function endpoint(allowedOrigins: readonly string[] | OriginCheck) {
  const served = vi.fn(async () => new Response("served"));
  const rules = { allowedOrigins, methods: "POST", sent: "authorization", read: "x-session" };
  const fetch = crossOrigin(rules, served);
  const from = (origin: string | undefined, method = "POST", more: Record<string, string> = {}) => {
    const headers = { ...more, ...(origin !== undefined && { origin }) };
    return fetch(new Request("https://agent.example.com/", { method, headers }));
  };
  return { from, served };
}

test("a page of an allowed origin can read the reply, other pages are refused, and programs without an origin get the reply", async () => {
  const { from, served } = endpoint([CHAT]);
  expect((await from("https://evil.example")).status).toBe(403);
  expect((await from(`${CHAT}:444`)).status).toBe(403);
  expect(served).not.toHaveBeenCalled();
  const reply = await from(CHAT);
  expect([await reply.text(), reply.headers.get("access-control-allow-origin")]).toEqual(["served", CHAT]);
  expect(await (await from(undefined)).text()).toBe("served");
});

test("a page of the endpoint's own origin need not be listed, but another origin of the same site must be", async () => {
  const { from } = endpoint([]);
  const own = "https://agent.example.com";
  expect((await from(own, "POST", { "sec-fetch-site": "same-origin" })).status).toBe(200);
  for (const site of ["same-site", "cross-site", "none"]) {
    expect((await from("https://app.example.com", "POST", { "sec-fetch-site": site })).status).toBe(403);
  }
});

test("a preflight request is answered without calling the endpoint", async () => {
  const { from, served } = endpoint([CHAT]);
  const reply = await from(CHAT, "OPTIONS");
  expect([reply.status, reply.headers.get("access-control-allow-headers")]).toEqual([204, "authorization"]);
  expect((await from("https://evil.example", "OPTIONS")).status).toBe(403);
  expect(served).not.toHaveBeenCalled();
});

test("allowed origins may be a function, as in the runtime's options", async () => {
  const { from } = endpoint((origin) => origin.endsWith(".preview.example.com"));
  expect((await from("https://pr-7.preview.example.com")).status).toBe(200);
  expect((await from(CHAT)).status).toBe(403);
});

test("an allowed origin that no browser sends is refused when the endpoint is created", () => {
  for (const wrong of [`${CHAT}/`, `${CHAT}/app`, "chat.example.com", "*", "null"]) {
    expect(() => endpoint([wrong])).toThrow(`This is not an origin: ${wrong}`);
  }
});

test("a body is read only for an authenticated caller, and an internal error reveals nothing to the client", async () => {
  const errors: unknown[] = [];
  const fetch = createEndpoint<string>(
    {
      authenticate: async ({ headers }) => headers.get("x-user") ?? undefined,
      resource: { url: "https://agent.example.com/a2a", authorizationServers: ["https://as.example"] },
      allowedOrigins: [],
      methods: "POST",
      sent: "",
      read: "",
      body: { maxBytes: 20 },
      onError: (error) => void errors.push(error),
    },
    async (_, caller, body) => {
      if (caller === "eve") throw new Error("hunter2");
      return Response.json({ caller, body });
    },
  );
  const send = (body: string, headers: Record<string, string>) =>
    fetch(
      new Request("https://agent.example.com/a2a", {
        method: "POST",
        body,
        headers: { "content-type": "application/json", ...headers },
      }),
    );
  const unknown = await send("no JSON", { authorization: "Bearer x" });
  expect([unknown.status, unknown.headers.get("www-authenticate")]).toEqual([
    401,
    'Bearer error="invalid_token", resource_metadata="https://agent.example.com/.well-known/oauth-protected-resource/a2a"',
  ]);
  expect((await send("no JSON", { "x-user": "ada" })).status).toBe(400);
  expect((await send(JSON.stringify("x".repeat(30)), { "x-user": "ada" })).status).toBe(413);
  expect((await send("{}", { "x-user": "ada", "content-type": "text/plain" })).status).toBe(415);
  expect(await (await send('{"a":1}', { "x-user": "ada" })).json()).toEqual({
    caller: "ada",
    body: { a: 1 },
  });
  const failed = await send("{}", { "x-user": "eve" });
  expect([failed.status, await failed.text()]).not.toContain("hunter2");
  expect(failed.status).toBe(500);
  expect(errors).toHaveLength(1);
});
