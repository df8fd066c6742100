import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Accounts } from "./accounts.ts";
import type { History } from "./history.ts";
import { drawTimeline } from "./timeline.ts";

export interface ChatPageOptions {
  accounts: Accounts;
  history: History;
  /** Folder of the built page. */
  root: string;
  /** Origin of the runtime, where the page's calls go. */
  runtimeOrigin: () => string;
  authOrigin: () => string;
}

/** The chat page with what it asks its own server for: who is signed in, and what was said before. */
export function createChatPage({
  accounts,
  history,
  root,
  runtimeOrigin,
  authOrigin,
}: ChatPageOptions): Hono {
  return new Hono()
    .use((c, next) =>
      secureHeaders({
        contentSecurityPolicy: {
          defaultSrc: ["'self'"],
          imgSrc: ["'self'", "data:"],
          connectSrc: ["'self'", runtimeOrigin()],
          frameAncestors: ["'none'"],
        },
        // Popups of the hosted page keep their opener; anything else that opens this page does not get it.
        crossOriginOpenerPolicy: "same-origin-allow-popups",
        referrerPolicy: "strict-origin",
        strictTransportSecurity: false,
      })(c, next),
    )
    .route(
      "/",
      accounts.sessionRoutes(() => ({ api: `${runtimeOrigin()}/run/api`, authOrigin: authOrigin() })),
    )
    .get("/history/:conversationId", async (c) => {
      const identity = await accounts.authenticate(c.req.raw);
      if (identity === undefined) return c.json([], 401);
      return c.json(history.read(identity.userId, c.req.param("conversationId")));
    })
    .get("/timeline/:conversationId", async (c) => {
      const identity = await accounts.authenticate(c.req.raw);
      const timeline = identity && history.timeline(identity.userId, c.req.param("conversationId"));
      if (timeline === undefined) return c.notFound();
      return c.body(drawTimeline(timeline), 200, {
        "content-type": "image/svg+xml",
        "cache-control": "no-store",
      });
    })
    .use(serveStatic({ root }));
}
