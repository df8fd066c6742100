import type { Runtime } from "./runtime-interface.ts";

/** The methods of a runtime that a route calls. */
type RoutedRuntime = Pick<Runtime, "fetch">;
type RouteHandler = (request: Request) => Promise<Response>;

/**
 * The handlers of a catch-all route of Next.js, in `app/run/[...path]/route.ts`. Pass a function to create the runtime
 * with the first HTTP request, so that a build needs no database. If it fails, the next HTTP request calls it again.
 *
 * @example
 * export const maxDuration = 800; // Next.js reads it from the file's text
 * export const { GET, POST, OPTIONS } = toNextHandlers(runtime);
 */
export function toNextHandlers(
  runtime: RoutedRuntime | (() => RoutedRuntime | Promise<RoutedRuntime>),
): Record<"GET" | "POST" | "OPTIONS", RouteHandler> {
  let made: Promise<RoutedRuntime> | undefined;
  async function make(): Promise<RoutedRuntime> {
    try {
      return await (typeof runtime === "function" ? runtime() : runtime);
    } catch (error) {
      made = undefined;
      throw error;
    }
  }
  const handle: RouteHandler = async (request) => (await (made ??= make())).fetch(request);
  return { GET: handle, POST: handle, OPTIONS: handle };
}
