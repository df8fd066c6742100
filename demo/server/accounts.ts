import { randomBytes } from "node:crypto";
import type { RuntimeOptions } from "elicit-kit/runtime";
import { Hono, type MiddlewareHandler } from "hono";
import { parseSigned, serializeSigned } from "hono/utils/cookie";
import { bodyLimit } from "hono/body-limit";

/** Two users who may assign forms to each other. */
export const COLLEAGUES = ["alice", "bob"] as const;
/** The demo's users. They have no passwords, because the demo listens on loopback only. */
export const USERS = [...COLLEAGUES, "carol"] as const;
/** A company whose identity provider decides what its users may connect to: see company.ts. */
export const COMPANY: { readonly name: string; readonly users: readonly string[] } = {
  name: "Acme",
  users: ["carol"],
};
export type DemoUser = (typeof USERS)[number];

/** Alice and bob may assign a form to each other, and give it back: see docs/ask/somebody-else.md. */
export const betweenColleagues: RuntimeOptions["assign"] = {
  may: () => true,
  nameOf: ({ user }) => COLLEAGUES.find((one) => one === user),
  choicesOf: (userId) =>
    COLLEAGUES.some((one) => one === userId)
      ? COLLEAGUES.filter((one) => one !== userId).map((user) => ({ user }))
      : [],
};

/** The user of a request. `via` distinguishes browsers from scripts: any web page can make a browser send its cookies. */
export interface DemoIdentity {
  userId: DemoUser;
  via: "cookie" | "bearer";
}

export interface Accounts {
  /**
   * Returns the user of `request`, from `Authorization: Bearer demo-alice` or the session cookie; otherwise `undefined`.
   */
  authenticate: (request: Request) => Promise<DemoIdentity | undefined>;
  /**
   * The chat page's own routes. `GET /session` returns the user, and signs a new visitor in as alice; `POST /session
   * {user}` switches the user. Both return `{ user, users, ...more(user) }`.
   */
  sessionRoutes: (more?: (user: DemoUser) => Promise<Record<string, unknown>>) => Hono;
}

/** Another site can make a browser post a form with the user's cookie, but not JSON. */
export const onlyJson: MiddlewareHandler = async (c, next) => {
  if (c.req.header("content-type") !== "application/json") return c.text("Send JSON.", 415);
  return next();
};

const COOKIE = "demo_session";
const DEFAULT_USER: DemoUser = "alice";

/** Sessions are valid as long as `key`, which signs them. By default each start generates a new key. */
export function createAccounts(key: Uint8Array<ArrayBuffer> = randomBytes(32)): Accounts {
  const signIn = (user: DemoUser): Promise<string> =>
    serializeSigned(COOKIE, user, key, { httpOnly: true, sameSite: "Lax", path: "/" });

  async function authenticate(request: Request): Promise<DemoIdentity | undefined> {
    const authorization = request.headers.get("authorization");
    if (authorization !== null) {
      const userId = USERS.find((user) => authorization === `Bearer demo-${user}`);
      return userId === undefined ? undefined : { userId, via: "bearer" };
    }
    const cookies = await parseSigned(request.headers.get("cookie") ?? "", key, COOKIE);
    const userId = USERS.find((user) => user === cookies[COOKIE]);
    return userId === undefined ? undefined : { userId, via: "cookie" };
  }

  function sessionRoutes(
    more: (user: DemoUser) => Promise<Record<string, unknown>> = async () => ({}),
  ): Hono {
    const describe = async (user: DemoUser) => ({ user, users: USERS, ...(await more(user)) });

    return new Hono()
      .use("/session", async (c, next) => {
        await next();
        c.header("cache-control", "no-store");
      })
      .get("/session", async (c) => {
        const identity = await authenticate(c.req.raw);
        if (identity === undefined) c.header("set-cookie", await signIn(DEFAULT_USER));
        return c.json(await describe(identity?.userId ?? DEFAULT_USER));
      })
      .post("/session", onlyJson, bodyLimit({ maxSize: 1024 }), async (c) => {
        const body: unknown = await c.req.json().catch(() => undefined);
        const wanted = typeof body === "object" && body !== null && "user" in body ? body.user : undefined;
        const user = USERS.find((name) => name === wanted);
        if (user === undefined) return c.text(`Send {"user": …} with one of: ${USERS.join(", ")}.`, 400);
        c.header("set-cookie", await signIn(user));
        return c.json(await describe(user));
      });
  }

  return { authenticate, sessionRoutes };
}
