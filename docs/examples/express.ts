import { getRequestListener } from "@hono/node-server";
import type { Runtime } from "elicit-kit/runtime";
import express, { type Express } from "express";

export function createExpressApp(runtime: Runtime): Express {
  const app = express();
  const listener = getRequestListener((request) => runtime.fetch(request));
  // Before express.json(), because the runtime reads bodies itself. A regular expression, because `app.use("/run")` would
  // cut the path, and because the two versions of Express write a wildcard in different ways.
  app.all(/^\/run\//, (request, response) => void listener(request, response));
  app.use(express.json());
  return app;
}
