import { Hono } from "hono/tiny";
import { SUPPORTS_ELICITATION_HEADER } from "../../contract/contract.ts";
import { crossOriginWithCookies } from "../../base/cross-origin.ts";
import { failureOf, refuse } from "../../base/reply.ts";
import type { OriginCheck } from "../../base/urls.ts";
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
  const toPages = crossOriginWithCookies({
    isAllowed: isAllowedOrigin,
    sent: `authorization,content-type,${SUPPORTS_ELICITATION_HEADER}`,
    methods: "GET,POST",
    read: "retry-after",
    maxAgeS: 600,
  });
  app.use(async (c, next) => {
    const origin = c.req.header("origin");
    // It copies every reply, so not for callers that are no browsers.
    if (origin === undefined) return next();
    const reply = await toPages(c.req.raw, origin, async () => {
      await next();
      return c.res;
    });
    // Otherwise Hono would put the headers of the old reply over those of the new one.
    c.res = undefined;
    c.res = reply;
    return undefined;
  });
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
    const { status, detail = "Something went wrong.", retryAfter } = failureOf(error);
    return refuse(status, detail, { retryAfter });
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
