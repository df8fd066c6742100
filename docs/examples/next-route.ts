import type { Runtime } from "elicit-kit/runtime";

type RouteHandler = (request: Request) => Promise<Response>;

/**
 * In `app/run/[...path]/route.ts`:
 *
 *     export const maxDuration = 800;
 *     export const { GET, POST, OPTIONS } = routeHandlers(runtime);
 */
export function routeHandlers(runtime: Runtime): Record<"GET" | "POST" | "OPTIONS", RouteHandler> {
  const handle: RouteHandler = (request) => runtime.fetch(request);
  return { GET: handle, POST: handle, OPTIONS: handle };
}
