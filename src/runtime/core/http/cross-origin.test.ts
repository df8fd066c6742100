import { expect, test, vi } from "vitest";
import { crossOrigin } from "./cross-origin.ts";
import type { OriginCheck } from "./origin.ts";

const CHAT = "https://chat.example.com";

function endpoint(allowedOrigins: readonly string[] | OriginCheck) {
  const served = vi.fn(async () => new Response("served"));
  const rules = { allowedOrigins, methods: "POST", sent: "authorization", read: "x-session" };
  const fetch = crossOrigin(rules, served);
  const from = (origin: string | undefined, method = "POST") =>
    fetch(
      new Request("https://agent.example.com/", { method, headers: origin === undefined ? {} : { origin } }),
    );
  return { from, served };
}

test("a page of an allowed origin reads the reply, other pages are refused, and programs are served", async () => {
  const { from, served } = endpoint([CHAT]);
  expect((await from("https://evil.example")).status).toBe(403);
  expect((await from(`${CHAT}:444`)).status).toBe(403);
  expect(served).not.toHaveBeenCalled();
  const reply = await from(CHAT);
  expect([await reply.text(), reply.headers.get("access-control-allow-origin")]).toEqual(["served", CHAT]);
  expect(await (await from(undefined)).text()).toBe("served");
});

test("a preflight is answered without the endpoint", async () => {
  const { from, served } = endpoint([CHAT]);
  const reply = await from(CHAT, "OPTIONS");
  expect([reply.status, reply.headers.get("access-control-allow-headers")]).toEqual([204, "authorization"]);
  expect((await from("https://evil.example", "OPTIONS")).status).toBe(403);
  expect(served).not.toHaveBeenCalled();
});

test("allowed origins may be a function, as those of the runtime", async () => {
  const { from } = endpoint((origin) => origin.endsWith(".preview.example.com"));
  expect((await from("https://pr-7.preview.example.com")).status).toBe(200);
  expect((await from(CHAT)).status).toBe(403);
});

test("an allowed origin that no browser sends is refused when the endpoint is created", () => {
  for (const wrong of [`${CHAT}/`, `${CHAT}/app`, "chat.example.com", "*", "null"]) {
    expect(() => endpoint([wrong])).toThrow(`This is not an origin: ${wrong}`);
  }
});
