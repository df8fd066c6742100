import { expect, test } from "vitest";
import { asking, CITY, createTestRuntime } from "../../../test/stages/test-runtime.ts";

const CHAT = "https://chat.example.com";
const ELSEWHERE = "https://evil.example";

/** The replies of a runtime whose chat is at `CHAT`, as headers of a list of pairs. */
function replies() {
  const runtime = createTestRuntime(asking(CITY), { allowedOrigins: [CHAT] });
  return async (path: string, init: RequestInit, origin?: string) => {
    const headers = { ...(origin !== undefined && { origin }), ...init.headers };
    const reply = await runtime.fetch(
      new Request(`https://agent.example.com/run${path}`, { ...init, headers }),
    );
    return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() };
  };
}

const LIST = "/api/elicitations?conversationId=c1";
const COOKIES = {
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": "retry-after",
};

test("a page of an allowed origin may read a reply with cookies", async () => {
  const { status, headers } = await replies()(LIST, {}, CHAT);
  expect(status).toBe(401);
  expect(headers).toEqual({
    ...COOKIES,
    "access-control-allow-origin": CHAT,
    "cache-control": "no-store",
    "content-type": "application/problem+json",
    vary: "Origin",
  });
});

test("a page of another origin gets a reply that its browser hides, and programs get one without these headers", async () => {
  const send = replies();
  const hidden = await send(LIST, {}, ELSEWHERE);
  expect(hidden.headers).toEqual({
    ...COOKIES,
    "cache-control": "no-store",
    "content-type": "application/problem+json",
    vary: "Origin",
  });
  const { headers } = await send(LIST, {});
  expect(headers).toEqual({ "cache-control": "no-store", "content-type": "application/problem+json" });
});

test("a preflight request names the methods and headers of the contract, and is kept for ten minutes", async () => {
  const send = replies();
  const rules = {
    ...COOKIES,
    "access-control-allow-headers": "authorization,content-type,x-supports-elicitation",
    "access-control-allow-methods": "GET,POST",
    "access-control-max-age": "600",
    vary: "Origin, Access-Control-Request-Headers",
  };
  const asked = { method: "OPTIONS", headers: { "access-control-request-method": "POST" } };
  expect(await send("/v1/messages", asked, CHAT)).toEqual({
    status: 204,
    headers: { ...rules, "access-control-allow-origin": CHAT },
    body: "",
  });
  expect(await send("/v1/messages", asked, ELSEWHERE)).toEqual({ status: 204, headers: rules, body: "" });
});

test("a page of an allowed origin may read also why there is no reply", async () => {
  const send = replies();
  for (const path of ["/nothing", "/api/elicitations"]) {
    const { status, headers } = await send(path, { method: "PUT" }, CHAT);
    expect([status, headers["access-control-allow-origin"]]).toEqual([path === "/nothing" ? 404 : 405, CHAT]);
  }
});
