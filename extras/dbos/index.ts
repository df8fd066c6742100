/**
 * `elicit-kit/dbos`: turns that outlive their process. Needs `@dbos-inc/dbos-sdk` and the ports of
 * `elicit-kit/postgres`: `npm install @dbos-inc/dbos-sdk pg`.
 */
export { type DbosRunner, createDbosRunner } from "./dbos-runner.ts";
