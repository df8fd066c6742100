/**
 * `elicit-kit/node`: serves a runtime or a hosted page on Node, and stores credentials in a file. `serve` needs
 * `@hono/node-server`: `npm install @hono/node-server`.
 */
export { createFileCredentials } from "./file-credentials.ts";
export { createGuardedFetch } from "./guarded-fetch.ts";
export { readNangoFrontend } from "./nango-frontend.ts";
export type { Served } from "./serve.ts";
export { serve } from "./serve.ts";
