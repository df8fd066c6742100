import { serveStatic } from "@hono/node-server/serve-static";
import type { CredentialStore } from "elicit-kit/connect";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { type Accounts, COMPANY, onlyJson } from "./accounts.ts";
import type { History } from "./history.ts";
import type { createOwnServerRoutes } from "./own-server-routes.ts";
import type { ReadTimeline } from "./timelines.ts";

export interface ChatPageOptions {
  accounts: Accounts;
  history: History;
  readTimeline: ReadTimeline;
  credentials: Pick<CredentialStore, "get" | "delete">;
  /** Stops the turns that ask a user something, which withdraws their requests. */
  stopAsking: (userId: string) => Promise<void>;
  /** The services that a user can connect: the id of each in `credentials`, and its name. */
  services: Readonly<Record<string, string>>;
  /** The MCP servers that users add. */
  ownServers: ReturnType<typeof createOwnServerRoutes>;
  /** URL of an MCP server that is not configured in the demo, for users to try. */
  exampleServer: string;
  /** URL of another company's chat that shows a card. */
  otherHost: string;
  /** Name of the language model; `undefined` for the script. */
  model: string | undefined;
  /** Folder of the built page. */
  root: string;
  /** Origin of the runtime, which the page calls. */
  runtimeOrigin: string;
  authOrigin: string;
}

/** The chat page and its own routes: the signed-in user, the connected accounts, and the conversation so far. */
export function createChatPage({
  accounts,
  history,
  readTimeline,
  credentials,
  stopAsking,
  services,
  ownServers,
  exampleServer,
  otherHost,
  model,
  root,
  runtimeOrigin,
  authOrigin,
}: ChatPageOptions): Hono {
  async function connectedTo(userId: string): Promise<string[]> {
    const all = await Promise.all(
      Object.entries(services).map(async ([id, name]) => {
        const credential = await credentials.get(id, userId);
        return credential === undefined ? [] : [name];
      }),
    );
    return all.flat();
  }

  async function disconnect(userId: string): Promise<void> {
    await Promise.all(Object.keys(services).map((id) => credentials.delete(id, userId)));
    await ownServers.disconnectAll(userId);
  }

  return new Hono()
    .use(
      secureHeaders({
        contentSecurityPolicy: {
          defaultSrc: ["'self'"],
          imgSrc: ["'self'", "data:"],
          connectSrc: ["'self'", runtimeOrigin],
          frameAncestors: ["'none'"],
        },
        // Popups of the hosted page keep their opener. Other pages that open this page get no reference to it.
        crossOriginOpenerPolicy: "same-origin-allow-popups",
        referrerPolicy: "strict-origin",
        strictTransportSecurity: false,
      }),
    )
    .route(
      "/",
      accounts.sessionRoutes(async (user) => ({
        api: `${runtimeOrigin}/run/api`,
        authOrigin,
        model,
        connected: await connectedTo(user),
        servers: await ownServers.show(user),
        exampleServer,
        otherHost,
        company: COMPANY,
      })),
    )
    .route("/servers", ownServers.routes)
    .get("/history/:conversationId", async (c) => {
      const identity = await accounts.authenticate(c.req.raw);
      if (identity === undefined) return c.json([], 401);
      return c.json(await history.read(identity.userId, c.req.param("conversationId")));
    })
    .get("/timeline/:conversationId", async (c) => {
      const identity = await accounts.authenticate(c.req.raw);
      if (identity === undefined) return c.json({}, 401);
      const timeline = await readTimeline(identity.userId, c.req.param("conversationId"));
      c.header("cache-control", "no-store");
      // With the server's current time, because the times refer to the server's clock.
      return c.json({ timeline, now: Date.now() });
    })
    .post("/disconnect", onlyJson, async (c) => {
      const identity = await accounts.authenticate(c.req.raw);
      if (identity === undefined) return c.body(null, 401);
      await disconnect(identity.userId);
      return c.body(null, 204);
    })
    .post("/start-over", onlyJson, async (c) => {
      const identity = await accounts.authenticate(c.req.raw);
      if (identity === undefined) return c.body(null, 401);
      // An open turn would keep asking about a chat that is gone.
      await stopAsking(identity.userId);
      await disconnect(identity.userId);
      await history.forget(identity.userId);
      return c.body(null, 204);
    })
    .use(serveStatic({ root }));
}
