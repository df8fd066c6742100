/** `elicit-kit/runtime/node`: serves a runtime or a hosted page on Node. */
export type { ServeOptions, Served } from "./serve.ts";
export { serve } from "./serve.ts";
