import { describe, expect, it } from "vitest";
import { createAccounts } from "./accounts.ts";

const URL = "http://localhost/session";

const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? "";

function visitor(accounts = createAccounts()) {
  const app = accounts.sessionRoutes(async () => ({ api: "http://localhost/run/api" }));
  return {
    accounts,
    get: (headers: Record<string, string> = {}) => app.request(URL, { headers }),
    post: (body: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
      app.request(URL, { method: "POST", body, headers }),
    whoHas: (headers: Record<string, string>) => accounts.authenticate(new Request(URL, { headers })),
  };
}

describe("GET /session", () => {
  it("signs a first visitor in as alice with a cookie that scripts cannot read", async () => {
    const { get, whoHas } = visitor();
    const response = await get();
    expect(await response.json()).toEqual({
      user: "alice",
      users: ["alice", "bob", "carol"],
      api: "http://localhost/run/api",
    });
    expect(response.headers.get("set-cookie")).toMatch(
      /^demo_session=alice\..+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await whoHas({ cookie: cookieOf(response) })).toEqual({ userId: "alice", via: "cookie" });
  });

  it("keeps the session of a signed-in user", async () => {
    const { get, post } = visitor();
    const cookie = cookieOf(await post(`{"user":"bob"}`));
    const response = await get({ cookie: `other=1; ${cookie}` });
    expect(await response.json()).toMatchObject({ user: "bob" });
    expect(response.headers.get("set-cookie")).toBeNull();
  });
});

describe("POST /session", () => {
  it("switches the user", async () => {
    const { post, whoHas } = visitor();
    const response = await post(`{"user":"bob"}`);
    expect(await response.json()).toMatchObject({ user: "bob" });
    expect(await whoHas({ cookie: cookieOf(response) })).toEqual({ userId: "bob", via: "cookie" });
  });

  it.each([`{"user":"mallory"}`, `{"user":"__proto__"}`, `{"user":["bob"]}`, `null`, `"bob"`, `{`, ``])(
    "refuses an unknown user (%s)",
    async (body) => {
      const response = await visitor().post(body);
      expect(response.status).toBe(400);
      expect(response.headers.get("set-cookie")).toBeNull();
    },
  );

  it("refuses requests that another site can make a browser send", async () => {
    const response = await visitor().post(`{"user":"bob"}`, { "content-type": "text/plain" });
    expect(response.status).toBe(415);
    expect(response.headers.get("set-cookie")).toBeNull();
  });
});

describe("authenticate", () => {
  it("accepts the token of a script", async () => {
    const { whoHas } = visitor();
    expect(await whoHas({ authorization: "Bearer demo-bob" })).toEqual({ userId: "bob", via: "bearer" });
  });

  it("returns no user without a cookie or a token", async () => {
    expect(await visitor().whoHas({})).toBeUndefined();
  });

  it.each(["Bearer demo-mallory", "Bearer demo-", "demo-bob", "Basic demo-bob", ""])(
    "returns no user for a wrong token (%s), even together with a valid cookie",
    async (authorization) => {
      const { get, whoHas } = visitor();
      const cookie = cookieOf(await get());
      expect(await whoHas({ authorization, cookie })).toBeUndefined();
    },
  );

  it("returns no user for a cookie that was changed, invented or signed by another process", async () => {
    const { get, whoHas } = visitor();
    const cookie = cookieOf(await get());
    expect(await whoHas({ cookie: cookie.replace("alice", "bob") })).toBeUndefined();
    expect(await whoHas({ cookie: "demo_session=alice" })).toBeUndefined();
    expect(await whoHas({ cookie: "demo_session=alice.AAAA" })).toBeUndefined();
    expect(await visitor().whoHas({ cookie })).toBeUndefined();
  });
});
