/** `elicit-kit/runtime/dbos`: turns that outlive their process. Needs `@dbos-inc/dbos-sdk` and `elicit-kit/runtime/postgres`. */
export { type DbosRunner, type DbosRunnerOptions, createDbosRunner } from "./dbos-runner.ts";
export type { Dbos } from "./step-store.ts";
