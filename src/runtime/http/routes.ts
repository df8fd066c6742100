import { Hono } from "hono/tiny";
import { STORE_IS_AWAY, STORE_RETRY_S, isStoreAway } from "../../base/foreign-error.ts";
import { cors } from "hono/cors";
import { SUPPORTS_ELICITATION_HEADER } from "../../contract/contract.ts";
import type { OriginCheck } from "../../base/urls.ts";
import { refuse } from "../../base/reply.ts";
import { addAnswerRoutes } from "./answer-routes.ts";
import { addChatRoutes } from "./chat-routes.ts";
import type { RouteFeature } from "./feature.ts";
import type { RouteContext } from "./route-context.ts";
import { addVouchRoute } from "./vouch-route.ts";

/**
 * Creates the routes of the contract. Without `hostedPageOrigin`, its route is left out.
 */
export function createRoutes(
  basePath: string,
  context: RouteContext,
  options: {
    isAllowedOrigin: OriginCheck;
    hostedPageOrigin: string | undefined;
    features: readonly (RouteFeature | undefined)[];
    onError: (error: unknown) => void;
  },
): (request: Request) => Promise<Response> {
  const { isAllowedOrigin, hostedPageOrigin, features, onError } = options;
  const app = new Hono().basePath(basePath);
  // Added before CORS, because no script may read its reply.
  if (hostedPageOrigin !== undefined) {
    const { elicitations, clock, authenticate } = context;
    addVouchRoute(app, { elicitations, clock, authenticate, hostedPageOrigin, onError });
  }
  const allowCors = cors({
    origin: (origin) => (isAllowedOrigin(origin) ? origin : null),
    credentials: true,
    allowHeaders: ["authorization", "content-type", SUPPORTS_ELICITATION_HEADER],
    allowMethods: ["GET", "POST"],
    exposeHeaders: ["retry-after"],
    maxAge: 600,
  });
  // The CORS middleware copies every reply. Skip it for callers that are not browsers.
  app.use((c, next) => (c.req.header("origin") === undefined ? next() : allowCors(c, next)));
  addAnswerRoutes(app, context);
  for (const feature of features) feature?.addRoutes(app, context);
  addChatRoutes(app, context);
  app.notFound((c) => {
    const allow = methodsOf(app, c.req.path).join(", ");
    return allow === ""
      ? refuse(404, "There is no such route.")
      : refuse(405, `This path takes ${allow}.`, { allow });
  });
  app.onError((error) => {
    onError(error);
    if (isStoreAway(error)) return refuse(503, STORE_IS_AWAY, { retryAfter: STORE_RETRY_S });
    return refuse(500, "Something went wrong.");
  });
  return async (request) => app.fetch(request);
}

function methodsOf({ routes }: Hono, path: string): readonly string[] {
  const given = path.split("/");
  const found = routes.filter((route) => {
    const parts = route.path.split("/");
    const fits =
      parts.length === given.length && parts.every((part, i) => part[0] === ":" || part === given[i]);
    // The middleware applies to all paths.
    return fits && route.method !== "ALL";
  });
  return [...new Set(found.map(({ method }) => method))];
}
