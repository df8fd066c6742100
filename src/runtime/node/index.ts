/** `elicit-kit/runtime/node`: serves a runtime or a hosted page on Node, and keeps credentials in a file. */
export type { FileCredentialsOptions } from "./file-credentials.ts";
export { createFileCredentials } from "./file-credentials.ts";
export type { ServeOptions, Served } from "./serve.ts";
export { serve } from "./serve.ts";
