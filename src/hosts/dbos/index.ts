/**
 * `elicit-kit/dbos`: turns that outlive their process. Needs `@dbos-inc/dbos-sdk` and the ports of
 * `elicit-kit/postgres`: `npm install @dbos-inc/dbos-sdk pg`.
 */
export { type DbosRunner, type DbosRunnerOptions, createDbosRunner } from "./dbos-runner.ts";
export type { Dbos } from "./step-store.ts";
