import type { Runtime } from "elicit-kit/runtime";
import { Hono } from "hono";

export function createHonoApp(runtime: Runtime): Hono {
  const app = new Hono();
  app.all("/run/*", (c) => runtime.fetch(c.req.raw));
  return app;
}
