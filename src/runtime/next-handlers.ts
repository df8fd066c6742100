import type { Runtime } from "./runtime.ts";

type RouteHandler = (request: Request) => Promise<Response>;

/**
 * The handlers of a catch-all route of Next.js, in `app/run/[...path]/route.ts`. A function makes the runtime with the first
 * request: a build that only reads the file then needs no database.
 *
 * @example
 * export const maxDuration = 800; // Next.js reads it from the file's text
 * export const { GET, POST, OPTIONS } = toNextHandlers(runtime);
 */
export function toNextHandlers(
  runtime: Pick<Runtime, "fetch"> | (() => Pick<Runtime, "fetch">),
): Record<"GET" | "POST" | "OPTIONS", RouteHandler> {
  let made: Pick<Runtime, "fetch"> | undefined;
  const handle: RouteHandler = async (request) => {
    made ??= typeof runtime === "function" ? runtime() : runtime;
    return made.fetch(request);
  };
  return { GET: handle, POST: handle, OPTIONS: handle };
}
